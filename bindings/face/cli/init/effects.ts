import type { ToolDescription } from './toolDescription.js';

/** What calls of a tool do, as far as its description tells: the worst of it. `unclear`: it may change something. */
export type Effect = 'deletes' | 'pays' | 'sends' | 'executes' | 'writes' | 'unclear' | 'reads';

/** An effect and what tells it, such as `its name says "delete"`. */
export interface ToolEffect {
  readonly effect: Effect;
  readonly why: string;
}

type Verbs = Readonly<Record<string, ReadonlySet<string>>>;

const words = (text: string): ReadonlySet<string> => new Set(text.split(' '));

/** Verbs that say what a tool does wherever they stand in its name: no tool that only reads is named so. */
const CLEAR: Verbs = {
  deletes: words(
    'delete remove rm rmdir unlink drop purge erase destroy wipe truncate uninstall trash discard prune',
  ),
  pays: words('pay refund purchase buy checkout donate'),
  sends: words('send reply forward tweet'),
  executes: words('execute exec eval bash shell spawn'),
};

/** Words that also name things, as in `get_post` and `list_orders`: they count if no verb of reading comes first. */
const AMBIGUOUS: Verbs = {
  deletes: words('clear reset revoke cancel terminate kill close'),
  pays: words('payment transfer charge withdraw order book subscribe tip wire bid trade sell invoice'),
  sends: words(
    'post publish share message notify email mail sms comment invite upload push submit broadcast dm call',
  ),
  executes: words('run command script terminal code invoke launch start restart deploy'),
  writes: words(
    'write create update edit set add insert append put save move rename copy make mkdir modify change replace patch upsert store assign merge commit apply configure enable disable import restore archive convert record register schedule sync install tag label approve grant fill click type drag press navigate',
  ),
};

const READING = words(
  'get list read search find describe show view count check look lookup query fetch inspect preview validate verify compare calculate compute estimate explain summarize analyze browse tree info status stat stats head tail grep glob ls cat pwd diff select retrieve load help ping echo whoami has is can think resolve translate parse scan watch wait sleep',
);

const ORDERS = words('sql statement command cmd code script shell');

/** What a tool does by its name, its annotations and, if these tell nothing, the first words of its description. */
export function effectOf({ name, description, schema, readOnly, destructive }: ToolDescription): ToolEffect {
  const clear = firstOf(CLEAR, wordsOf(name));
  if (clear !== null) return { effect: clear.effect, why: `its name says "${clear.word}"` };
  if (readOnly === true) return { effect: 'reads', why: 'readOnlyHint' };
  const byName = byWords(wordsOf(name));
  const known = byName === null ? byWords(wordsOf(description).slice(0, 2)) : null;
  const [found, where] = byName === null ? [known, 'description'] : [byName, 'name'];
  const order = found?.effect === 'reads' ? orderIn(schema) : undefined;
  if (order !== undefined)
    return { effect: 'unclear', why: `what it does is said by its argument "${order}"` };
  // A tool that says of itself that it is not read-only does not only read.
  if (found !== null && !(found.effect === 'reads' && readOnly === false))
    return { effect: found.effect, why: `its ${where} says "${found.word}"` };
  if (destructive === true && readOnly === false) return { effect: 'writes', why: 'destructiveHint' };
  if (readOnly === false) return { effect: 'writes', why: 'not readOnlyHint' };
  return { effect: 'unclear', why: 'nothing says that it only reads' };
}

/** The argument that holds a command or a statement, which may do anything: `query` with an argument `sql` reads only if that does. */
function orderIn(schema: ToolDescription['schema']): string | undefined {
  const { properties } = schema ?? {};
  const names = typeof properties === 'object' && properties !== null ? Object.keys(properties) : [];
  return names.find((name) => wordsOf(name).some((word) => ORDERS.has(word)));
}

function byWords(all: readonly string[]): { readonly effect: Effect; readonly word: string } | null {
  const clear = firstOf(CLEAR, all);
  if (clear !== null) return clear;
  for (const word of all) {
    if (READING.has(word)) return { effect: 'reads', word };
    const found = firstOf(AMBIGUOUS, [word]);
    if (found !== null) return found;
  }
  return null;
}

function firstOf(
  verbs: Verbs,
  all: readonly string[],
): { readonly effect: Effect; readonly word: string } | null {
  for (const [effect, known] of Object.entries(verbs))
    for (const word of all)
      for (const stem of [word, word.replace(/s$/, ''), word.replace(/es$/, ''), word.replace(/ies$/, 'y')])
        if (known.has(stem)) return { effect: effect as Effect, word: stem };
  return null;
}

/** The words of a name in any case: `sendMail`, `send-mail`, `SEND_MAIL`. */
function wordsOf(text: string): string[] {
  return text
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2')
    .replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\d]+/u)
    .filter((word) => word !== '');
}
