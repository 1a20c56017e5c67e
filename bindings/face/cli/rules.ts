import { InvalidArgumentError } from '../../base/errors.js';
import { checkRules } from '../../rules/ruleSet/index.js';
import { loadSpecification } from './inputs.js';
import { type Outcome, plural } from './terminal.js';

/** `foreguard rules`: what is odd about the rules of a specification, alone and together. */
export async function rules({ spec }: { readonly spec: string }): Promise<Outcome> {
  const specification = await loadSpecification(spec);
  if (specification.rules.length === 0)
    throw new InvalidArgumentError(
      `${spec} has no rules; expected rules that are to be checked together (foreguard policy check checks policies)`,
    );
  const report = checkRules(specification);
  const { findings, undecided, notes } = report;
  const found = findings.length === 0 ? 'nothing found' : plural(findings.length, 'finding');
  return {
    json: { file: specification.source, hash: specification.hash, ...report },
    text: [
      ...findings.map(({ text }) => text),
      ...undecided.map(({ text }) => text),
      ...notes.map((note) => `note: ${note}`),
      `${plural(report.rules.length, 'rule')}: ${found}${undecided.length === 0 ? '' : `, ${undecided.length} not decided`}`,
    ].join('\n'),
    exitCode: findings.length > 0 ? 1 : undecided.length > 0 ? 3 : 0,
  };
}
