import type { Expression } from '../../languages/expression/index.js';
import type { Inputs } from '../../languages/inputs/index.js';
import { type Assignment, holds } from '../../solvers/decide/index.js';
import type { Claim } from '../../solvers/recheck/index.js';
import { all, any, isFalse, isNone, isTrue, not, permits, renamed } from './claims.js';
import type { ObligationKind } from './obligation.js';
import { brokenBy, type PolicyClaims, type Property } from './policyClaims.js';

/** What is asked about the inputs, so that an obligation is decided. */
export interface Question {
  readonly kind: ObligationKind;
  /** The property or condition that it is about. */
  readonly name: string;
  readonly claim: Claim;
  /** Whether the obligation is that some input fulfils the claim, or that none does. */
  readonly seeks: 'some' | 'none';
  /** Where it stands, if not where its name does. */
  readonly line?: number;
  /** Whether a refutation is a remark. */
  readonly isRemark: boolean;
  /** What a refutation says, of the input that refutes it if none is sought. */
  readonly refuted: (input: Assignment) => string;
}

/** The name of a second value of an input, which no input has. */
const otherNameOf = (input: string): string => `${input}'`;

/** The inputs, and second values of those that anybody may choose. */
export function withCopies(inputs: PolicyClaims['inputs']): Inputs {
  const copies = Object.entries(inputs).filter(([, { untrusted }]) => untrusted === true);
  return { ...inputs, ...Object.fromEntries(copies.map(([name, input]) => [otherNameOf(name), input])) };
}

/** Whether the policy permits something, and what its properties say. */
export function questionsOfProperties(of: PolicyClaims): Question[] {
  const { policy, given } = of;
  const required = exists(
    'requires',
    'requires',
    given,
    'no input has what is required, so everything follows from it',
  );
  const something = exists(
    'permitsSomething',
    'permit',
    all(given, of.permits),
    'the policy denies every call',
  );
  return [
    ...(policy.requires === null ? [] : [required]),
    something,
    ...of.properties.flatMap((property) => ofProperty(of, property)),
  ];
}

/** What each condition is for, and what inputs that anybody may choose change. */
export function questionsOfConditions(of: PolicyClaims): Question[] {
  const isScript = of.specification.scripts.has(of.policy.name);
  return [...(isScript ? ofReturns(of) : [...ofPermit(of), ...ofForbid(of)]), ...ofUntrusted(of)];
}

function ofProperty(of: PolicyClaims, property: Property): Question[] {
  const { name, line, permitted, denied } = property;
  const holding = none('ensures', name, brokenBy(of.permits, property), (input) => {
    const decision = holds(of.permits, input) ? 'permits' : 'denies';
    return `the policy ${decision} ${shown(of, input)}, and the property does not hold there`;
  });
  const bites = exists(
    'bites',
    name,
    any(not(isTrue(permitted)), not(isTrue(denied))),
    'whatever a policy decides, it has this property: it says nothing',
  );
  return [
    { ...holding, line },
    { ...bites, line },
  ];
}

function ofPermit(of: PolicyClaims): Question[] {
  const { permit, forbid } = of.conditions;
  return of.policy.permit.flatMap(({ name }, i) => {
    const others = permits({ permit: permit.filter((_, k) => k !== i), forbid });
    const isReached = all(isTrue(permit[i]), of.permits);
    return [
      reachable(of, name, isReached, 'the condition is true of no call that is permitted'),
      ...(permit.length > 1
        ? [needed(of, name, all(of.permits, not(others)), 'what it permits, other conditions permit as well')]
        : []),
      readable(of, name, permit[i]),
    ];
  });
}

function ofForbid(of: PolicyClaims): Question[] {
  const { permit, forbid } = of.conditions;
  return of.policy.forbid.flatMap(({ name }, i) => {
    const others = permits({ permit, forbid: forbid.filter((_, k) => k !== i) });
    return [
      reachable(of, name, isTrue(forbid[i]), 'the condition is true of no call'),
      needed(of, name, all(others, not(isFalse(forbid[i]))), 'what it forbids is not permitted anyway'),
      readable(of, name, forbid[i]),
    ];
  });
}

/** Of a function: each return, each of which is reached by calls that no other reaches; and whether it throws, which is the same for all. In the order of lines. */
function ofReturns(of: PolicyClaims): Question[] {
  const { policy, specification } = of;
  const script = specification.scripts.get(policy.name)!;
  const conditions = [...of.conditions.permit, ...of.conditions.forbid];
  const questions = [
    ...[...policy.permit, ...policy.forbid].map(({ name }, i) =>
      reachable(of, name, isTrue(conditions[i]), 'no call reaches this return'),
    ),
    readable(of, policy.name, conditions[0]),
  ];
  const lineOf = ({ name }: Question): number => script.lines.get(name) ?? script.line;
  return questions.sort((a, b) => lineOf(a) - lineOf(b));
}

/** Whether the policy decides otherwise of another value of an input that anybody may choose. */
function ofUntrusted(of: PolicyClaims): Question[] {
  const { policy, inputs } = of;
  const read = Object.keys(inputs).filter(
    (name) => inputs[name].untrusted === true && policy.reads.includes(name),
  );
  return read.map((name) => {
    const other = otherNameOf(name);
    const claim = all(of.permits, not(renamed(of.permits, name, other)));
    const question = none('untrusted', name, claim, (input) => {
      const [permitted, denied] = [input[name], input[other]].map((value) => JSON.stringify(value));
      return `the policy permits ${shown(of, input)}, and denies the same with ${denied} in place of ${permitted}: whoever chooses ${name} chooses what is permitted`;
    });
    return { ...question, isRemark: true };
  });
}

function reachable({ given }: PolicyClaims, name: string, claim: Claim, otherwise: string): Question {
  return exists('reachable', name, all(given, claim), otherwise);
}

function needed({ given }: PolicyClaims, name: string, claim: Claim, otherwise: string): Question {
  return { ...exists('needed', name, all(given, claim), otherwise), isRemark: true };
}

function readable(of: PolicyClaims, name: string, condition: Expression): Question {
  const question = none(
    'readable',
    name,
    all(of.given, isNone(condition)),
    (input) => `the condition has no value of ${shown(of, input)}; such calls are denied`,
  );
  return { ...question, isRemark: true };
}

/** That some input fulfils a claim. */
function exists(kind: ObligationKind, name: string, claim: Claim, otherwise: string): Question {
  return { kind, name, claim, seeks: 'some', isRemark: false, refuted: () => otherwise };
}

/** That no input fulfils a claim. */
function none(kind: ObligationKind, name: string, claim: Claim, refuted: Question['refuted']): Question {
  return { kind, name, claim, seeks: 'none', isRemark: false, refuted };
}

const shown = (of: PolicyClaims, input: Assignment): string => JSON.stringify(of.read(input));
