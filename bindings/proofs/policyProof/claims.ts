import { type Expression, readExpressionTree } from '../../languages/expression/index.js';
import type { Policy, PolicyRule } from '../../runtime/policy/index.js';
import { rename } from '../../solvers/decide/index.js';
import type { Claim } from '../../solvers/recheck/index.js';

/** A policy's conditions, parsed. */
export interface Conditions {
  readonly permit: readonly Expression[];
  readonly forbid: readonly Expression[];
}

export function conditionOf({ name, expression, tree }: PolicyRule): Expression {
  return readExpressionTree(tree, expression, name);
}

export const isTrue = (of: Expression): Claim => ({ kind: 'is', values: ['true'], of });
export const isFalse = (of: Expression): Claim => ({ kind: 'is', values: ['false'], of });
export const isNone = (of: Expression): Claim => ({ kind: 'is', values: ['none'], of });
export const all = (...of: readonly Claim[]): Claim => ({ kind: 'and', of });
export const any = (...of: readonly Claim[]): Claim => ({ kind: 'or', of });
export const not = (of: Claim): Claim => ({ kind: 'not', of });

/** The claim that a policy permits, with what it requires. */
export function permitsOf({ requires, permit, forbid }: Policy): Claim {
  const decides = permits({ permit: permit.map(conditionOf), forbid: forbid.map(conditionOf) });
  return requires === null ? decides : all(isTrue(conditionOf(requires)), decides);
}

/** That a policy permits: one condition of `permit` is true, and each of `forbid` is false. */
export function permits({ permit, forbid }: Conditions): Claim {
  return all(any(...permit.map(isTrue)), ...forbid.map(isFalse));
}

/** A claim with another input in place of one. */
export function renamed(claim: Claim, from: string, to: string): Claim {
  if (claim.kind === 'is') {
    const { name, root } = claim.of;
    return { ...claim, of: { name, root: rename(root, from, to) } };
  }
  if (claim.kind === 'not') return not(renamed(claim.of, from, to));
  return { ...claim, of: claim.of.map((one) => renamed(one, from, to)) };
}
