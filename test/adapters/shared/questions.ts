import { askTools, parseSpecification } from 'foreguard/ask';
import { createSession } from 'foreguard/enforce';
import { compileRules } from '../../../bindings/rules/specification/index.js';
import { createGuard } from '../../../bindings/runtime/guard/index.js';

const SPECIFICATION = `
version: 1
predicates: { sends: 'action.name == "send"', fetches: 'action.name == "fetch"' }
rules: { noLeak: { formula: 'G (sends -> !O fetches)', strategy: block } }
`;

/** A run under the rule that nothing is sent once a page was fetched, and the tools with which its agent asks about that. */
export function askedSession() {
  const specification = parseSpecification(SPECIFICATION);
  const session = createSession({
    guard: createGuard(compileRules(specification)),
    tools: ['search', 'fetch', 'send', 'forget'],
  });
  return { session, questions: askTools({ specification, session }) };
}
