import { UNKNOWN_POLICIES, UNREADABLE_POLICIES } from '../../runtime/guard/index.js';
import type { Entry, SpecificationDocument } from './document.js';
import type { Specification } from './specification.js';

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
