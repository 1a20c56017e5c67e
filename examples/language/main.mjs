// Everyday English read as rules: the sentences of published corpora against the formulas that their authors wrote, by equivalence on finite runs, with a simulated person who
// answers the questions; requirements in FRET's English; expressions for places; and votes on what systems of others were recorded to answer. `--data` says where the corpora are, `--short` takes every tenth sentence.
// Writes out/language.json and .md, the same every time but for the times.
import { existsSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { distinguish, equivalent } from 'foreguard/compare';
import { answerQuestion, readEnglish, readFretish } from 'foreguard/english';
import { answerTranslation, modelFromFunction, translate, voteByEquivalence } from 'foreguard/translate';
import { progress } from '../household/terminal.mjs';
import { runExample } from '../measures/dataArgument.mjs';
import { writeReport } from '../measures/report.mjs';
import { CORPORA, knownSentences, recordsOf } from './corpora.mjs';
import { ERRATA } from './errata.mjs';
import { fretishOutcome } from './fretish.mjs';
import { goalsOf } from './goals.mjs';
import { groundingOutcomes } from './grounding.mjs';
import { markdown } from './markdown.mjs';
import { coverageOf, outcomeOf } from './outcome.mjs';
import { translationOutcome } from './replay.mjs';
import { satisfies } from './satisfies.mjs';
import { spokenOutcomes } from './spoken.mjs';
import { recordedVotes, voteOutcome } from './votes.mjs';

const USAGE = 'npm run experiment:language -- --data ../shared/data [--short]';

await runExample(async () => {
  const { values } = parseArgs({
    options: { short: { type: 'boolean', default: false }, data: { type: 'string' } },
  });
  if (values.data === undefined) throw new Error(`--data is missing.\nUsage: ${USAGE}`);
  const path = (corpus) => `${values.data}/language/${corpus}.json`;
  const absent = CORPORA.map(path).filter((one) => !existsSync(one));
  if (absent.length > 0) throw new Error(`There is no ${absent.join(', no ')}.\nUsage: ${USAGE}`);
  const records = (corpus) => recordsOf(path(corpus), values.short);
  const reader = { readEnglish, answerQuestion, equivalent, satisfies };
  readEnglish('Go to a.', { predicates: ['a'] });
  const corpora = knownSentences(path, values.short).map(({ corpus, sentences }) => {
    progress(corpus);
    return {
      corpus,
      outcomes: sentences.map(({ id, sentence, stratum, known, predicates }) => ({
        id,
        stratum,
        ...outcomeOf(reader, sentence, known, predicates, ERRATA[id]),
      })),
    };
  });
  const english = records('fret-requirements').filter((one) => one.english !== null);
  progress('votes on recorded answers');
  const votes = recordedVotes(path, values.short);
  const tools = { translate, answerTranslation, modelFromFunction, equivalent, satisfies };
  const translated = [];
  for (const one of votes[0].cases)
    translated.push({ stratum: one.stratum, ...(await translationOutcome(tools, one)) });
  progress('coverage, requirements and places');
  const results = {
    corpora,
    votes: votes.map(({ corpus, cases }) => ({
      corpus,
      outcomes: cases.map((one) => ({
        id: one.id,
        stratum: one.stratum,
        ...voteOutcome({ voteByEquivalence, equivalent, distinguish }, one),
      })),
    })),
    translated,
    spoken: spokenOutcomes(path, values.short, { equivalent }),
    coverage: [
      ['osm-berg', records('osm-berg').map((one) => coverageOf(reader, one.sentence, one.propositions))],
      [
        'fret-requirements, free English',
        english.map((one) => coverageOf(reader, one.english, one.propositions)),
      ],
    ].map(([corpus, outcomes]) => ({ corpus, outcomes })),
    fretish: records('fret-requirements').map((one) => fretishOutcome({ readFretish, equivalent }, one)),
    grounding: groundingOutcomes(records('lang2ltl-grounding'), recordsOf(path('lang2ltl-landmarks'), false)),
  };
  await writeReport('language', results, markdown(results), goalsOf(results));
});
