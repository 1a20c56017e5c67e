import { ForeguardError, InvalidArgumentError } from '../../base/errors.js';
import { isObject } from '../../base/objectKind.js';
import { type AskTool, type AskToolDefinition, frozenJson } from '../../runtime/enforcement/index.js';
import { type AskSessionOptions, askSession, type LiveAsk } from './liveAsk.js';
import type { AskedCall } from './moves.js';

/** Names of tools begin so, unless another beginning is given. */
export const ASK_PREFIX = 'foreguard_';
/** Questions that may wait for their answers: an agent that asks more at once is told so. */
const MOST_WAITING = 8;
const LONGEST_QUESTION = 500;
const LONGEST_ANSWER = 4000;
/** Longest JSON of the arguments. */
const LONGEST_ARGUMENTS = 10_000;

type Given = Readonly<Record<string, unknown>>;

const CALL = {
  tool: { type: 'string', description: 'The name of the tool that you want to call.' },
  arguments: { type: 'object', description: 'The arguments that you want to call it with.' },
};

/** The tools: what a list says of each, and how it is answered. */
const TOOLS: readonly {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  readonly properties: Readonly<Record<string, object>>;
  readonly required: readonly string[];
  readonly answer: (live: LiveAsk, given: Given) => Promise<string>;
}[] = [
  {
    name: 'may',
    title: 'May I?',
    description:
      'Says whether a call would be allowed now, and if not, why not and what would have to be different. The call is not made.',
    properties: CALL,
    required: ['tool'],
    answer: async (live, given) => {
      const call = callIn(given);
      const { answer, text } = await live.may(call);
      if (answer === 'yes') return text;
      const why = (await live.whyNot(call)).text.split('\n').filter((line) => !text.includes(line));
      return [text, ...why].join('\n');
    },
  },
  {
    name: 'instead',
    title: 'What instead?',
    description:
      'Lists the calls that are allowed now. If you name a tool, those come first after which a call of it is allowed soonest.',
    properties: CALL,
    required: [],
    answer: async (live, given) => (await live.instead(given.tool === undefined ? null : callIn(given))).text,
  },
  {
    name: 'before',
    title: 'What first?',
    description: 'Says what has to happen before a call is allowed.',
    properties: CALL,
    required: ['tool'],
    answer: async (live, given) => (await live.before(callIn(given))).text,
  },
  {
    name: 'owed',
    title: 'What do I owe?',
    description: 'Says what the rules still ask for in this run, and until when.',
    properties: {},
    required: [],
    answer: async (live) => (await live.owed()).text,
  },
  {
    name: 'rules',
    title: 'What are the rules?',
    description: 'Says the rules of this run in words, each with short runs that keep it and that break it.',
    properties: {},
    required: [],
    answer: async (live) => (await live.rules()).text,
  },
  {
    name: 'ask',
    title: 'Ask about the rules',
    description:
      'Answers a question in English about the rules, of one of these forms: may I …? why not …? what instead of …? what may I do? what must happen before I …? what do I owe? will … ever …? what are the rules?',
    properties: {
      question: { type: 'string', description: `The question, at most ${LONGEST_QUESTION} characters.` },
    },
    required: ['question'],
    answer: async (live, { question }) =>
      (await live.question(textIn('question', question, LONGEST_QUESTION))).text,
  },
];

/** What lists of tools say of the tools with which agents ask. @throws InvalidArgumentError if the prefix makes no names of tools */
export function askToolDefinitions(prefix: string = ASK_PREFIX): AskToolDefinition[] {
  if (!/^[\w-]{0,40}$/.test(prefix))
    throw new InvalidArgumentError(
      `the names of tools cannot begin with ${JSON.stringify(prefix)}; expected at most 40 letters, digits, _ and -`,
    );
  return TOOLS.map(({ name, title, description, properties, required }) => ({
    name: `${prefix}${name}`,
    title,
    description,
    inputSchema: {
      type: 'object',
      properties: { ...properties },
      required: [...required],
      additionalProperties: false,
    },
    annotations: {
      title,
      readOnlyHint: true,
      destructiveHint: false,
      idempotentHint: true,
      openWorldHint: false,
    },
  }));
}

/**
 * Read-only tools with which the agent of a session asks about its rules. They are no calls of the run, cost nothing of its budgets, and change no rule. Each answer
 * is text; it looks at a bounded number of situations, and only so many questions wait at a time.
 *
 * @param options those of `askSession`; `prefix`: how the names begin, default `foreguard_`
 * @throws InvalidArgumentError as `askSession`, and if the prefix makes no names of tools
 */
export function askTools({
  prefix,
  ...options
}: AskSessionOptions & { readonly prefix?: string }): AskTool[] {
  const definitions = askToolDefinitions(prefix);
  const live = askSession(options);
  let waiting = 0;
  let last: Promise<unknown> = Promise.resolve();
  const inTurn = (work: () => Promise<string>): Promise<string> => {
    const result = last.then(work).catch(inWords);
    last = result;
    return result;
  };
  return definitions.map((definition, i) => ({
    ...definition,
    async answer(args: unknown): Promise<string> {
      if (waiting >= MOST_WAITING)
        return `Too many questions at once: at most ${MOST_WAITING} wait for an answer. Ask again later.`;
      waiting++;
      try {
        return shortened(await inTurn(() => TOOLS[i].answer(live, givenIn(args, definition))));
      } finally {
        waiting--;
      }
    },
  }));
}

/** @throws InvalidArgumentError, InvalidDataError for arguments that are not of the tool */
function givenIn(args: unknown, { inputSchema }: AskToolDefinition): Given {
  const given = frozenJson(args ?? {}, LONGEST_ARGUMENTS);
  if (!isObject(given) || Array.isArray(given))
    throw new InvalidArgumentError('the arguments are not an object that has each by its name');
  const known = Object.keys(inputSchema.properties);
  for (const name of Object.keys(given))
    if (!known.includes(name))
      throw new InvalidArgumentError(
        `there is no argument ${JSON.stringify(name.slice(0, 100))}; expected ${known.join(', ') || 'none'}`,
      );
  return given as Given;
}

function callIn({ tool, arguments: given = {} }: Given): AskedCall {
  if (!isObject(given) || Array.isArray(given))
    throw new InvalidArgumentError(
      'arguments is not an object that has each argument of the tool by its name',
    );
  return { name: textIn('tool', tool, 200), arguments: given as Given };
}

function textIn(name: string, value: unknown, longest: number): string {
  if (typeof value === 'string' && value.trim() !== '' && value.length <= longest) return value;
  throw new InvalidArgumentError(`${name} is not a text of 1 to ${longest} characters`);
}

function inWords(error: unknown): string {
  return error instanceof ForeguardError
    ? `I cannot answer: ${error.message}.`
    : 'I cannot answer: the question could not be understood.';
}

function shortened(text: string): string {
  return text.length <= LONGEST_ANSWER ? text : `${text.slice(0, LONGEST_ANSWER)} … (cut)`;
}
