import type { Guard } from '../../../bindings/runtime/guard/index.js';

/** The assistant for mail of the examples, which are plain JavaScript. */
interface Mail {
  readonly mailTools: readonly ['search', 'fetch', 'send', 'forget'];
  mailShield(rule?: Readonly<Record<string, unknown>>): Promise<Guard>;
  mailbox(): {
    state(): Readonly<Record<string, unknown>>;
    readonly tools: Readonly<
      Record<Mail['mailTools'][number], (args: Readonly<Record<string, unknown>>) => Promise<string>>
    >;
  };
}

const path = '../../../examples/mail/mail.mjs';
export const { mailbox, mailShield, mailTools } = (await import(path as string)) as Mail;
