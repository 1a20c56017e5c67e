import type { Expression } from '../../languages/expression/index.js';
import { PERMITTED, type PolicySpecification } from '../../rules/specification/index.js';
import { type Assignment, holds, substituted } from '../../solvers/decide/index.js';
import { conditionOf, type Obligation, type PolicyReport, verifyPolicies } from '../policyProof/index.js';
import type { Candidate, DraftFile, Example, PolicyDraft } from './draft.js';

/** What became of a candidate. */
export interface Attempt {
  readonly candidate: Candidate;
  readonly outcome: 'verified' | 'refuted' | 'unproved' | 'unreadable';
  /** What is wrong with it, one sentence each; empty if it is verified. */
  readonly problems: readonly string[];
  /** Inputs that show it, with what must be decided of them: examples from now on. */
  readonly counterexamples: readonly Example[];
  /** Properties and examples that no policy can have all of, by an input. */
  readonly contradiction: string | null;
  /** Absent where the candidate could not be read. */
  readonly report?: PolicyReport;
}

/** Parses a candidate and proves it, with the draft's properties and all examples so far. */
export async function tryCandidate(
  file: DraftFile,
  draft: PolicyDraft,
  candidate: Candidate,
): Promise<Attempt> {
  const specification = file.alone(draft, candidate);
  if (!('set' in specification))
    return { ...nothing(candidate), outcome: 'unreadable', problems: specification };
  const report = await verifyPolicies(specification);
  if (report.verified) return { ...nothing(candidate), outcome: 'verified', report };
  const open = report.obligations.filter(({ verdict, isRemark }) => verdict !== 'proved' && !isRemark);
  const counterexamples: Example[] = [];
  let contradiction: string | null = null;
  for (const { kind, verdict, input } of open) {
    if (kind !== 'ensures' || verdict !== 'refuted' || input === undefined) continue;
    const expect = expectedOf(specification, input);
    if (expect === null) contradiction ??= describeContradiction(specification, input);
    else counterexamples.push({ ...input, expect });
  }
  contradiction ??= open.map(faultOfDraft).find((fault) => fault !== null) ?? null;
  return {
    candidate,
    outcome: open.some(({ verdict }) => verdict === 'refuted') ? 'refuted' : 'unproved',
    problems: open.map(describe),
    counterexamples,
    contradiction,
    report,
  };
}

const nothing = (candidate: Candidate) => ({
  candidate,
  problems: [],
  counterexamples: [],
  contradiction: null,
});

/** What must be decided of an input for all properties to hold of it; null if they hold neither way. */
function expectedOf(specification: PolicySpecification, input: Assignment): 'permit' | 'deny' | null {
  if (brokenBy(specification, input, false).length === 0) return 'deny';
  return brokenBy(specification, input, true).length === 0 ? 'permit' : null;
}

/** The properties that are not true of an input if it is permitted, or denied; what is required, where that forbids it. */
function brokenBy({ ensures, set }: PolicySpecification, input: Assignment, permitted: boolean): string[] {
  const isTrue = (of: Expression): boolean => holds({ kind: 'is', values: ['true'], of }, input);
  const { requires } = set.policies[0];
  return [
    ...(permitted && requires !== null && !isTrue(conditionOf(requires)) ? ['requires'] : []),
    ...ensures.flatMap(({ name, parsed }) =>
      isTrue(substituted(parsed, PERMITTED, permitted)) ? [] : [JSON.stringify(name)],
    ),
  ];
}

function describeContradiction(specification: PolicySpecification, input: Assignment): string {
  const [permitted, denied] = [true, false].map((one) => brokenBy(specification, input, one).join(', '));
  return `no policy has all properties: of ${JSON.stringify(input)}, ${permitted} would not be true if it were permitted, ${denied} not if it were denied; where a part of a property has no value, such as domainOf of what is no address, the property is not true`;
}

/** A fault of what is asked for, which no other policy mends. */
function faultOfDraft({ kind, verdict, name, says }: Obligation): string | null {
  if (verdict !== 'refuted' || (kind !== 'bites' && kind !== 'requires')) return null;
  return kind === 'bites' ? `property "${name}": ${says}` : `requires: ${says}`;
}

const ASKED: Readonly<Record<Obligation['kind'], string>> = {
  ensures: 'property',
  requires: 'what is required',
  permitsSomething: 'it must permit something',
  reachable: 'condition',
  bites: 'property',
  example: 'example',
  needed: 'condition',
  readable: 'condition',
  untrusted: 'an untrusted input decides',
  mutant: 'a change is not noticed',
  session: 'what holds of a session',
};

function describe({ kind, name, says }: Obligation): string {
  return kind === 'permitsSomething' || kind === 'requires'
    ? `${ASKED[kind]}: ${says}`
    : `${ASKED[kind]} ${JSON.stringify(name)}: ${says}`;
}
