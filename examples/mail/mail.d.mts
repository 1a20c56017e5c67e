import type { Guard } from '../../bindings/guard/index.js';
import type { Trace } from '../../bindings/trace/index.js';

export declare const mailTools: readonly ['search', 'fetch', 'send', 'forget'];
export declare function recordings(): Trace[];
export declare function mailGuard(rule?: Readonly<Record<string, unknown>>): Promise<Guard>;
export declare function mailShield(rule?: Readonly<Record<string, unknown>>): Promise<Guard>;
export declare function mailbox(): {
  readonly world: { tainted: boolean; leaked: boolean };
  readonly ran: string[];
  readonly state: () => { tainted: boolean; leaked: boolean };
  readonly tools: {
    search: (args: { query: string }) => Promise<string>;
    fetch: (args: { url: string }) => Promise<string>;
    send: (args: { to: string }) => Promise<string>;
    forget: (args: Readonly<Record<string, never>>) => Promise<string>;
  };
};
