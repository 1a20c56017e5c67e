/** Why a policy denies a call. */
export type Denial =
  /** No policy decides calls of the tool. */
  | { readonly kind: 'uncovered' }
  /** An argument that no input names: policies cannot see it. */
  | { readonly kind: 'extra'; readonly argument: string }
  | { readonly kind: 'absent' | 'mistyped' | 'outside'; readonly input: string }
  /** A condition has no value, as of a text that is not read with certainty. */
  | { readonly kind: 'unreadable'; readonly rule: string }
  /** What the policy takes for granted is not so. */
  | { readonly kind: 'required' }
  | { readonly kind: 'forbidden'; readonly rule: string }
  | { readonly kind: 'notPermitted' };

/** What policies decide of a call: null permits it. */
export interface PolicyDenial {
  /** Empty if the call is denied before any policy. */
  readonly policy: string;
  readonly denial: Denial;
}
