import { canonicalJson } from '../../base/canonicalJson.js';
import { ModelError } from '../../base/errors.js';
import { type LanguageModel, nameOf, objectIn } from '../../base/languageModel/index.js';
import { isObject } from '../../base/objectKind.js';
import { type Clarification, clarify, type ReadingQuestion, type ReadingReply } from './clarify.js';
import type { Candidate, DraftFile, Example, PolicyDraft } from './draft.js';
import { PROMPTS } from './prompts.js';
import { conditionsOf, readCandidate } from './readCandidate.js';

/** Who is asked what a request means, and how often. */
export interface SpecifyOptions {
  /** Asks a person about an input on which readings differ. */
  readonly ask: (question: ReadingQuestion) => Promise<ReadingReply>;
  /** Readings that the model gives; default 3. */
  readonly readings?: number;
  /** Default 7. */
  readonly maxQuestions?: number;
  readonly signal?: AbortSignal;
}

/** What a request was taken to mean. */
export interface Specified {
  /** The draft with properties and examples. It is what a person confirms; from then on it does not change. */
  readonly draft: PolicyDraft;
  /** The reading's own policy, to be tried first. */
  readonly candidate: Candidate;
  readonly clarification: Clarification;
  /** Why readings of the model were not used. */
  readonly dropped: readonly string[];
}

/**
 * Has a language model say in several ways what a request demands, and tells these readings apart by asking a person about inputs on which they differ.
 *
 * @throws ModelError (rejects) if no reading can be used, or none agrees with the answers
 */
export async function specifyPolicy(
  file: DraftFile,
  name: string,
  model: LanguageModel,
  options: SpecifyOptions,
): Promise<Specified> {
  const draft = file.draft(name);
  const prompt = PROMPTS.specify;
  const { tools, request, requires, examples } = draft;
  const { texts, objects } = await model.generate(
    {
      purpose: prompt.id,
      prompt: nameOf(prompt),
      system: prompt.system,
      messages: [
        {
          role: 'user',
          content: canonicalJson({
            request,
            tools,
            inputs: file.inputs,
            ...(requires !== undefined && { requires }),
            examples,
          }),
        },
      ],
      schema: prompt.schema,
      samples: options.readings ?? 3,
    },
    options.signal,
  );
  const dropped: string[] = [];
  const read = (objects ?? texts).flatMap((answer, i) => {
    try {
      const one = readReading(typeof answer === 'string' ? objectIn(answer) : answer, draft);
      const specification = file.alone(one.draft, one.candidate);
      if ('set' in specification) return [{ ...one, specification }];
      throw new ModelError(specification.join('; '));
    } catch (error) {
      if (!(error instanceof ModelError)) throw error;
      dropped.push(`reading ${i + 1}: ${error.message}`);
      return [];
    }
  });
  if (read.length === 0) throw new ModelError(`no reading can be used: ${dropped.join('; ')}`);
  const clarification = await clarify(
    read.map(({ specification }) => specification),
    options.ask,
    options.maxQuestions,
  );
  if (clarification.reading < 0)
    throw new ModelError(
      `none of ${read.length} readings decides as the answers say; write the request anew, or its properties yourself`,
    );
  const { draft: chosen, candidate } = read[clarification.reading];
  return {
    draft: { ...chosen, examples: [...chosen.examples, ...clarification.examples] },
    candidate,
    clarification,
    dropped,
  };
}

/** The examples of the model are not used: the draft's own and a person's answers are. */
function readReading(answer: unknown, draft: PolicyDraft): { draft: PolicyDraft; candidate: Candidate } {
  if (!isObject(answer)) throw new ModelError('it is no object');
  const ensures = { ...conditionsOf(answer.ensures, 'ensures'), ...draft.ensures };
  if (Object.keys(ensures).length === 0) throw new ModelError('it ensures nothing');
  const examples: readonly Example[] = draft.examples;
  return { draft: { ...draft, ensures, examples }, candidate: readCandidate(answer) };
}
