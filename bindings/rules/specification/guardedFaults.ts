import type { GuardFile } from '../../runtime/guard/index.js';
import type { Specification } from './specification.js';

/** The part of a guard file about what is not known, about safe tools, and about detectors. @param knowsActions whether the file has actions, which may be untried */
export function guardedFaults(
  { onUnknown, onUntried, onUnreadable, unsafeAllowUnknown, tools, detectors }: Specification,
  knowsActions: boolean,
): Pick<
  GuardFile,
  'onUnknown' | 'onUntried' | 'onUnreadable' | 'unsafeAllowUnknown' | 'tools' | 'detectors'
> {
  const declared = [...(tools ?? [])].flatMap(([name, { safe }]) =>
    safe === null ? [] : [[name, { safe }]],
  );
  return {
    onUnknown,
    ...(onUntried !== null && knowsActions && { onUntried }),
    ...(onUnreadable !== null && { onUnreadable }),
    ...(unsafeAllowUnknown && { unsafeAllowUnknown: true }),
    ...(declared.length > 0 && { tools: Object.fromEntries(declared) }),
    ...(detectors.size > 0 && { detectors: Object.fromEntries(detectors) }),
  };
}
