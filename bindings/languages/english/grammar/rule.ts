import type { Rule, Tree } from './chart.js';

/** Adds a rule for each line of `right`. */
export type AddRule = (left: string, right: string, make: (...parts: Tree[]) => Tree) => void;

/** An empty list of rules, and what adds to it. */
export function ruleList(): { readonly rules: Rule[]; readonly rule: AddRule } {
  const rules: Rule[] = [];
  const rule: AddRule = (left, right, make) => {
    for (const line of right.trim().split(/\s*\n\s*/)) rules.push({ left, right: line, make });
  };
  return { rules, rule };
}

export const same = (part: Tree): Tree => part;

/** Stands in a tree for all that the sentence named before; no predicate has this name. */
export const THEM = ' them';
