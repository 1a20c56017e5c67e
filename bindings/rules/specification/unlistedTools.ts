import { nearestName } from '../../base/suggest.js';
import { parseExpression } from '../../languages/expression/index.js';
import { toolsNamed } from '../../observations/abstraction/index.js';
import type { GuardFile } from '../../runtime/guard/index.js';
import { allPredicates } from './exactRules.js';
import type { Specification } from './specification.js';

/**
 * Describes in words the tools that predicates and policies of guards name and that nobody lists, each with what was likely meant: such a predicate is never true of a
 * call, so that a rule about a misspelt tool stops nothing. For a session: `unlistedTools(Object.keys(tools), [guard.file])`.
 *
 * @param listed the names of all tools
 * @param files guard files, as `guard.file` has them
 * @param options `by`: who lists the tools, for the words; default: "the session"
 * @returns one sentence for each such tool; none if all are listed
 */
export function unlistedTools(
  listed: readonly string[],
  files: readonly Pick<GuardFile, 'predicates' | 'policies'>[],
  { by = 'the session' }: { readonly by?: string } = {},
): string[] {
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
      .map((tool) => unlisted(`policy "${name}" decides calls of`, tool, listed, by)),
  );
  const named = Array.from(predicates, ([tool, names]) => {
    const which = Array.from(names, (name) => `"${name}"`).join(', ');
    const one = names.size === 1;
    return unlisted(
      `${one ? 'predicate' : 'predicates'} ${which} ${one ? 'names' : 'name'} the tool`,
      tool,
      listed,
      by,
    );
  });
  return [...named, ...decided];
}

function unlisted(what: string, tool: string, listed: readonly string[], by: string): string {
  const nearest = nearestName(tool, listed);
  const lists = `it lists ${listed.slice(0, 10).join(', ') || 'none'}${listed.length > 10 ? ', …' : ''}`;
  return `${what} "${tool}", which ${by} does not list; ${nearest === undefined ? lists : `did you mean "${nearest}"?`}`;
}

/**
 * The same of a specification, as far as it says which tools there are: in `tools`, in declared actions and in its tests. Only what looks misspelt is named, as
 * others may be left out there.
 */
export function misspeltTools(specification: Specification): string[] {
  const { tools, declaredActions, tests } = specification;
  const known = [
    ...(tools?.keys() ?? []),
    ...Object.keys(declaredActions),
    ...tests.flatMap((test) => [...test.tools, ...test.run.map(({ call }) => call)]),
  ];
  return allPredicates(specification).flatMap(({ name, expression }) =>
    toolsNamed(parseExpression(expression))
      .filter((tool) => !known.includes(tool.name) && nearestName(tool.name, known) !== undefined)
      .map((tool) =>
        unlisted(`predicate "${name}" names the tool`, tool.name, known, 'the rest of the specification'),
      ),
  );
}
