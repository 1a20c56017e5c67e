// Everyday English read as rules: the sentences of published corpora against the formulas that their authors wrote, by equivalence on finite runs.
// `--data` says where they are, `--short` takes every tenth sentence. Writes out/language.json and .md, the same every time.
import { existsSync, readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { equivalent } from 'foreguard/compare';
import { parseFormula, readEnglish } from 'foreguard/english';
import { progress } from '../household/terminal.mjs';
import { runExample } from '../measures/dataArgument.mjs';
import { writeReport } from '../measures/report.mjs';
import { goalsOf, markdown } from './markdown.mjs';
import { outcomeOf } from './outcome.mjs';

const USAGE = 'npm run experiment:language -- --data ../shared/data [--short]';
const CORPORA = ['lang2ltl-lifted', 'cleanup-world', 'osm-providence', 'nl2spec-expert', 'dwyer-patterns'];
/** The propositions of corpora that do not list them. */
const PLACEHOLDERS = ['p', 'q', 'r', 's', 't', 'z'];

await runExample(async () => {
  const { values } = parseArgs({
    options: { short: { type: 'boolean', default: false }, data: { type: 'string' } },
  });
  if (values.data === undefined) throw new Error(`--data is missing.\nUsage: ${USAGE}`);
  const path = (corpus) => `${values.data}/language/${corpus}.json`;
  const absent = CORPORA.map(path).filter((one) => !existsSync(one));
  if (absent.length > 0) throw new Error(`There is no ${absent.join(', no ')}.\nUsage: ${USAGE}`);
  const results = CORPORA.map((corpus) => {
    progress(corpus);
    const { records } = JSON.parse(readFileSync(path(corpus), 'utf8'));
    const outcomes = records
      .filter((_, i) => !values.short || i % 10 === 0)
      .map(({ sentence, rule, propositions = PLACEHOLDERS }) =>
        outcomeOf({ readEnglish, equivalent }, sentence, parseFormula(rule), propositions),
      );
    return { corpus, outcomes };
  });
  await writeReport('language', results, markdown(results), goalsOf(results));
});
