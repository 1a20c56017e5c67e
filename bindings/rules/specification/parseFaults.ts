import type { Node } from 'yaml';
import { type GuardTool, UNKNOWN_POLICIES, UNREADABLE_POLICIES } from '../../runtime/guard/index.js';
import type { Entry, SpecificationDocument } from './document.js';
import type { Specification } from './specification.js';

/** Keys of a tool that is declared in a specification. */
const TOOL_KEYS = ['safe'] as const satisfies readonly (keyof GuardTool)[];

/** Parses what a guard does about what is untried, unknown or unreadable. */
export function parseFaults(
  document: SpecificationDocument,
  top: ReadonlyMap<string, Entry>,
): Pick<Specification, 'onUnknown' | 'onUntried' | 'onUnreadable' | 'unsafeAllowUnknown'> {
  const choice = <T extends string>(key: string, policies: readonly T[]): T | undefined => {
    const entry = top.get(key);
    return entry && document.choice(entry.value, key, policies);
  };
  const unsafe = top.get('unsafeAllowUnknown');
  const unsafeAllowUnknown = (unsafe && document.boolean(unsafe.value, 'unsafeAllowUnknown')) ?? false;
  const onUnknown = choice('onUnknown', UNKNOWN_POLICIES) ?? 'rule';
  const onUntried = choice('onUntried', UNKNOWN_POLICIES) ?? null;
  for (const [key, policy] of Object.entries({ onUnknown, onUntried })) {
    if ((policy !== 'report' && policy !== 'allow') || unsafeAllowUnknown) continue;
    document.problem(
      top.get(key)?.key,
      `${key}: ${policy} lets an agent act where nothing is known; it needs unsafeAllowUnknown: true beside it`,
    );
  }
  const onUnreadable = choice('onUnreadable', UNREADABLE_POLICIES) ?? null;
  return { onUnknown, onUntried, onUnreadable, unsafeAllowUnknown };
}

/** Parses `tools: { handOver: { safe: true } }`. */
export function parseTools(document: SpecificationDocument, node: Node | null): Specification['tools'] {
  const tools: [string, GuardTool][] = [];
  for (const [name, { value }] of document.entries(node, 'tools')) {
    const safe = document.entries(value, `tools: ${name}`, TOOL_KEYS).get('safe');
    const isSafe = safe && document.boolean(safe.value, `tools: ${name}: safe`);
    tools.push([name, isSafe === undefined ? {} : { safe: isSafe }]);
  }
  return Object.fromEntries(tools);
}
