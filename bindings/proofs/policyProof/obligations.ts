import type { PolicyExample } from '../../rules/specification/index.js';
import { type Assignment, holds } from '../../solvers/decide/index.js';
import type { Certificate } from '../../solvers/recheck/index.js';
import type { Obligation, ObligationKind, Verdict } from './obligation.js';
import type { PolicyClaims } from './policyClaims.js';
import type { Answered, Evidence, ProofOptions, Prover } from './prover.js';
import { type Question, questionsOfConditions, questionsOfProperties } from './questions.js';
import { type SpecificationScore, scoreOf } from './specificationScore.js';

/** Settings beside those of proofs. */
export interface ObligationOptions extends ProofOptions {
  /** Whether obligations that hold for every input have their certificates, of at most 2,000,000 numbers each. Default false. */
  readonly certificates?: boolean;
}

/** Obligations that are about the lines of a script, where the policy is one. */
const IN_SCRIPTS: readonly ObligationKind[] = ['permitsSomething', 'reachable', 'readable'];

/** Of what is run, not proved. */
const NOBODY: Evidence = { by: [] };

/** The obligations of a policy, each with what became of it. */
export async function obligationsOf(
  of: PolicyClaims,
  prover: Prover,
  options: ObligationOptions,
): Promise<Obligation[]> {
  const found: Obligation[] = [];
  for (const question of questionsOfProperties(of)) found.push(await decided(question, of, prover, options));
  for (const example of of.examples) found.push(tried(example, of));
  for (const question of questionsOfConditions(of)) found.push(await decided(question, of, prover, options));
  return found;
}

async function decided(
  question: Question,
  of: PolicyClaims,
  prover: Prover,
  { recheck, certificates }: ObligationOptions,
): Promise<Obligation> {
  const { claim, seeks } = question;
  const answer = await (seeks === 'none' ? prover.prove(claim) : prover.ask(claim));
  const isForAll = seeks === 'none' && answer.kind === 'none';
  const certificate = isForAll && certificates === true ? prover.certificate(claim, answer) : undefined;
  return obligation(of, {
    ...question,
    ...verdictOf(question, of, answer, recheck === true),
    input: answer.kind === 'some' ? answer.input : undefined,
    evidence: answer.evidence,
    certificate,
  });
}

/** What an answer says of the obligation for which the question was asked. */
function verdictOf(
  { seeks, refuted }: Question,
  of: PolicyClaims,
  answer: Answered,
  isRechecked: boolean,
): { readonly verdict: Verdict; readonly says: string } {
  switch (answer.kind) {
    case 'unknown':
      return { verdict: 'unproved', says: answer.reason };
    case 'some':
      if (seeks === 'none') return { verdict: 'refuted', says: refuted(answer.input) };
      return { verdict: 'proved', says: `for example ${JSON.stringify(of.read(answer.input))}` };
    case 'none':
      if (seeks === 'some') return { verdict: 'refuted', says: refuted({}) };
      return { verdict: 'proved', says: isRechecked ? 'for every input; rechecked' : 'for every input' };
  }
}

/** Whether the policy decides an example as expected: it is run. */
function tried({ inputs, expect, line }: PolicyExample, of: PolicyClaims): Obligation {
  const input = of.whole(inputs);
  // A call without a value that the policy reads is denied before any condition.
  const found = of.fits(input) && holds(of.permits, input) ? 'permit' : 'deny';
  const isExpected = found === expect;
  const decision = expect === 'permit' ? 'permitted' : 'denied';
  return obligation(of, {
    kind: 'example',
    name: JSON.stringify(inputs),
    verdict: isExpected ? 'proved' : 'refuted',
    says: isExpected ? `${decision}, as expected` : `expected ${expect}, found ${found}`,
    input: inputs,
    line,
  });
}

/** How many slips in a policy its properties and examples would notice, and a remark on each other one. */
export function noticedSlips(
  of: PolicyClaims,
  found: readonly Obligation[],
  steps: number | undefined,
): { readonly score: SpecificationScore; readonly remarks: readonly Obligation[] } {
  const known = found.flatMap(({ input }) => (input === undefined ? [] : [of.whole(input)]));
  const { score, survivors } = scoreOf(of, known, steps === undefined ? {} : { steps });
  const remarks = survivors.map(({ change, input, isPermitted }) =>
    obligation(of, {
      kind: 'mutant',
      name: change,
      verdict: 'refuted',
      isRemark: true,
      says: `the properties and examples also accept a policy that ${isPermitted ? 'permits' : 'denies'} ${JSON.stringify(of.read(input))}`,
      input,
    }),
  );
  return { score, remarks };
}

/** What an obligation is made of. */
interface Made {
  readonly kind: ObligationKind;
  readonly name: string;
  readonly verdict: Verdict;
  readonly says: string;
  readonly isRemark?: boolean;
  readonly line?: number;
  readonly input?: Assignment | undefined;
  readonly evidence?: Evidence;
  readonly certificate?: Certificate | undefined;
}

function obligation(of: PolicyClaims, made: Made): Obligation {
  const { kind, name, verdict, says, isRemark = false, line, input, evidence = NOBODY, certificate } = made;
  const { lines, scripts } = of.specification;
  const policy = of.policy.name;
  const script = line === undefined && IN_SCRIPTS.includes(kind) ? scripts.get(policy) : undefined;
  const place =
    script === undefined
      ? (lines.get(`${policy}/${name}`) ?? lines.get(policy) ?? 1)
      : (script.lines.get(name) ?? script.line);
  return {
    policy,
    kind,
    name,
    line: line ?? place,
    ...(script !== undefined && { source: script.source }),
    verdict,
    isRemark,
    says,
    ...(input !== undefined && { input: of.read(input) }),
    ...evidence,
    ...(certificate !== undefined && { certificate }),
  };
}
