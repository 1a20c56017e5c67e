import { nearestName } from '../../../base/suggest.js';
import { parseExpression } from '../../../languages/expression/index.js';
import { toolsNamed } from '../../../observations/abstraction/index.js';
import type { GuardFile } from '../../../runtime/guard/index.js';

/** Describes in words the tools that predicates and policies name and the server does not list, each with what was likely meant: such a predicate is never true of a call of theirs. */
export function unlistedTools(listed: readonly string[], files: readonly GuardFile[]): string[] {
  const predicates = new Map<string, Set<string>>();
  for (const { name, expression } of files.flatMap((file) => file.predicates)) {
    for (const tool of toolsNamed(parseExpression(expression))) {
      if (listed.includes(tool.name)) continue;
      predicates.set(tool.name, (predicates.get(tool.name) ?? new Set()).add(name));
    }
  }
  const policies = files.flatMap((file) => file.policies?.set.policies ?? []);
  const decided = policies.flatMap(({ name, tools }) =>
    tools
      .filter((tool) => !listed.includes(tool))
      .map((tool) => unlisted(`policy "${name}" decides calls of`, tool, listed)),
  );
  const named = Array.from(predicates, ([tool, names]) => {
    const which = Array.from(names, (name) => `"${name}"`).join(', ');
    const one = names.size === 1;
    return unlisted(
      `${one ? 'predicate' : 'predicates'} ${which} ${one ? 'names' : 'name'} the tool`,
      tool,
      listed,
    );
  });
  return [...named, ...decided];
}

function unlisted(what: string, tool: string, listed: readonly string[]): string {
  const nearest = nearestName(tool, listed);
  const lists = `it lists ${listed.slice(0, 10).join(', ') || 'none'}${listed.length > 10 ? ', …' : ''}`;
  return `${what} "${tool}", which the server does not list; ${nearest === undefined ? lists : `did you mean "${nearest}"?`}`;
}
