import { type AnyNode, type Comment, type Program, parse, type VariableDeclaration } from 'acorn';
import { InvalidArgumentError } from '../../../base/errors.js';
import { refuseUnknownOptions, requireText } from '../../../base/suggest.js';
import { wordsOf } from '../../../base/words.js';
import type { ValueType } from '../../contract/index.js';
import { checkPlan } from '../checkPlan.js';
import type { Plan, Step } from '../plan.js';
import { PlanError, type PlanProblem, planProblem } from '../planError.js';
import { readPlan } from '../readPlan.js';
import { eachStep, giveIds } from '../stepIds.js';
import type { ToolTypes } from '../toolTypes.js';
import { planJson } from '../writePlan.js';
import { CodeScope } from './codeScope.js';
import { StepLowering } from './lowerSteps.js';
import { CodeProblems, Refusal } from './problems.js';

/** Longest code that is read, in UTF-16 code units. */
const MOST_CODE = 200_000;

/** Options of reading a plan from code. */
export interface LowerOptions {
  /** The name of the code, for messages. Default `plan.mjs`. */
  readonly source?: string;
  /** What the plan is for, if the code does not say `goal('…')`. Default: nothing. */
  readonly goal?: string;
  /** The names that are given to the plan, with their types, beside those of `inputs({…})`. */
  readonly inputs?: Readonly<Record<string, ValueType>>;
}

/**
 * Reads a plan from code: a subset of JavaScript, which is parsed and never run.
 *
 * The plan does what the code would do, one call after the other. Names that hide others, or are given twice, get a number. The plan is checked by `checkPlan`.
 *
 * @param code the statements of the plan: `const x = await tool({…})`, `if`, `for (const x of list)`, `return`; docs/workflow.md lists them
 * @throws PlanError with every problem found (up to 100): line, column, what was found, and what to write in its place
 */
export function lowerCode(code: string, tools: ToolTypes, options: LowerOptions = {}): Plan {
  requireText('lowerCode', code);
  refuseUnknownOptions('lowerCode', options, { source: true, goal: true, inputs: true });
  if (!(tools?.tools instanceof Map))
    throw new InvalidArgumentError('lowerCode needs the types of the tools: { tools: Map }');
  const { source = 'plan.mjs' } = options;
  const comments: Comment[] = [];
  const problems = new CodeProblems();
  const fail = (found: readonly PlanProblem[]): never => {
    throw new PlanError(source, found);
  };
  let lowered: { readonly plan: Plan; readonly places: ReadonlyMap<string, AnyNode> } | undefined;
  try {
    const program = parsed(code, comments, problems);
    lowered = program && lowerProgram(program, code, tools, comments, problems, options);
  } catch (error) {
    // Parsers and printers call themselves for each level of nesting.
    if (!(error instanceof RangeError)) throw error;
    problems.add({}, `code that is nested too deep (${wordsOf(error)})`, 'flatter code');
  }
  if (lowered === undefined || problems.list.length > 0) return fail(problems.list);
  const { plan, places } = lowered;
  const found = checkPlan(plan, tools).problems;
  if (found.length > 0) fail(found.map((problem) => placed(problem, places)));
  try {
    return readPlan(planJson(plan), { source });
  } catch (error) {
    if (!(error instanceof PlanError)) throw error;
    return fail(error.problems.map((problem) => placed(problem, places)));
  }
}

function placed(problem: PlanProblem, places: ReadonlyMap<string, AnyNode>): PlanProblem {
  const start = (problem.step === null ? undefined : places.get(problem.step))?.loc?.start;
  if (start === undefined) return problem;
  return planProblem({
    ...problem,
    hint: problem.hint ?? undefined,
    line: start.line,
    column: start.column + 1,
  });
}

function parsed(code: string, comments: Comment[], problems: CodeProblems): Program | undefined {
  if (code.length > MOST_CODE) {
    problems.add({}, `code of ${code.length} characters`, `at most ${MOST_CODE}`);
    return undefined;
  }
  try {
    return parse(code, {
      ecmaVersion: 2024,
      sourceType: 'module',
      locations: true,
      allowReturnOutsideFunction: true,
      allowAwaitOutsideFunction: true,
      onComment: comments,
    });
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    const { loc } = error as SyntaxError & { loc?: { line: number; column: number } };
    const found = `what is no JavaScript (${error.message.replace(/ \(\d+:\d+\)$/, '')})`;
    problems.add(
      loc === undefined ? {} : { loc: { start: loc, end: loc } },
      found,
      'statements such as const x = await tool({ … })',
    );
    return undefined;
  }
}

function lowerProgram(
  program: Program,
  code: string,
  tools: ToolTypes,
  comments: readonly Comment[],
  problems: CodeProblems,
  options: LowerOptions,
): { readonly plan: Plan; readonly places: ReadonlyMap<string, AnyNode> } {
  const scope = new CodeScope(code);
  const lowering = new StepLowering(problems, scope, tools, comments);
  let { goal = '' } = options;
  const inputs = new Map<string, ValueType>();
  const give = (name: string, type: ValueType) => inputs.set(scope.give(name, type), type);
  for (const [name, type] of Object.entries(options.inputs ?? {})) give(name, type);
  let first = 0;
  for (; first < program.body.length; first++) {
    const statement = program.body[first];
    try {
      const words = goalOf(statement);
      if (words !== undefined) goal = words;
      else if (!isInputs(statement)) break;
      else readInputs(statement as VariableDeclaration, lowering, problems, give);
    } catch (error) {
      if (!(error instanceof Refusal)) throw error;
    }
  }
  const from = first === 0 ? 0 : program.body[first - 1].end;
  const steps = lowering.steps(program.body.slice(first), from);
  const written: Plan = { version: 1, goal, inputs: Object.fromEntries(inputs), steps };
  const plan = giveIds(written);
  const places = new Map<string, AnyNode>();
  const ids: string[] = [];
  eachStep(plan.steps, ({ id }) => ids.push(id));
  let at = 0;
  eachStep(written.steps, (step: Step) => {
    const place = lowering.places.get(step);
    if (place !== undefined) places.set(ids[at], place);
    at++;
  });
  return { plan, places };
}

/** `goal('…')`. */
function goalOf(node: AnyNode): string | undefined {
  if (node.type !== 'ExpressionStatement' || node.expression.type !== 'CallExpression') return undefined;
  const { callee, arguments: given } = node.expression;
  const [words] = given;
  const isGoal = callee.type === 'Identifier' && callee.name === 'goal' && given.length === 1;
  return isGoal && words.type === 'Literal' && typeof words.value === 'string' ? words.value : undefined;
}

/** `const { a, b } = inputs({ a: …, b: … })`. */
function isInputs(node: AnyNode): boolean {
  if (node.type !== 'VariableDeclaration' || node.kind !== 'const' || node.declarations.length !== 1)
    return false;
  const [{ id, init }] = node.declarations;
  return (
    id.type === 'ObjectPattern' &&
    init?.type === 'CallExpression' &&
    init.callee.type === 'Identifier' &&
    init.callee.name === 'inputs'
  );
}

function readInputs(
  node: VariableDeclaration,
  lowering: StepLowering,
  problems: CodeProblems,
  give: (name: string, type: ValueType) => void,
): void {
  const [{ id, init }] = node.declarations;
  if (id.type !== 'ObjectPattern' || init?.type !== 'CallExpression') return;
  const [types] = init.arguments;
  const expected = "const { me } = inputs({ me: { type: 'string', format: 'email' } })";
  if (init.arguments.length !== 1 || types.type !== 'ObjectExpression')
    problems.refuse(init, 'a call of inputs', expected);
  const names = id.properties.map((property) =>
    property.type === 'Property' && property.shorthand && property.value.type === 'Identifier'
      ? property.value.name
      : problems.refuse(property, 'a name with another', expected),
  );
  const given = new Map<string, AnyNode>();
  for (const property of types.properties)
    if (property.type === 'Property' && property.key.type === 'Identifier' && !property.computed)
      given.set(property.key.name, property.value);
    else problems.refuse(property, 'an input without a plain name', expected);
  for (const name of new Set([...names, ...given.keys()])) {
    const type = given.get(name);
    if (type === undefined || !names.includes(name))
      problems.refuse(init, `the input ${name} on one side alone`, expected);
    else give(name, lowering.calls.type(type));
  }
}
