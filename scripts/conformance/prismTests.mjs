/**
 * Tests in the shape of PRISM's own: a model `m.nm` with property files `m.nm*.props`, whose comments hold the results; files of
 * switches `….args` beside either, one run a line; `….auto` files, whose lines import and export models.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { foldersBelow } from './foldersBelow.mjs';
import { parseSwitches } from './switches.mjs';

const isModel = (name) => /\.(prism|nm|pm|sm)$/.test(name);
const isProperties = (name) => /\.(props|pctl|csl)$/.test(name);

/** The jobs of a folder and all below it, each run once that means the same here. */
export function prismTestJobs(root) {
  const jobs = new Map();
  for (const folder of foldersBelow(root)) {
    const names = readdirSync(folder).filter((name) => statSync(join(folder, name)).isFile());
    const models = names.filter(isModel);
    const add = (job) => {
      const { title, ...meaning } = job;
      const key = JSON.stringify(meaning);
      if (!jobs.has(key)) jobs.set(key, { ...job, folder: relative(root, folder) || '.', title });
    };
    for (const name of names.filter(isProperties)) {
      const path = join(folder, name);
      const matching = modelsOf(name, models);
      if (matching.length === 0 && /RESULT/.test(readFileSync(path, 'utf8'))) {
        add({ title: name, properties: path, skip: 'no model file begins its name' });
      }
      for (const model of matching) {
        for (const ofModel of runsOf(join(folder, model)))
          for (const ofFile of runsOf(path)) add(job(folder, model, name, ofModel, ofFile));
      }
    }
    for (const name of names.filter((name) => name.endsWith('.auto'))) {
      for (const { line, run } of autoRuns(join(folder, name))) {
        const model = models.find((model) => name.startsWith(model));
        add({
          title: `${name}: ${line}`,
          directory: folder,
          ...(model && { model: join(folder, model) }),
          ...run,
          kind: 'import-export',
        });
      }
    }
  }
  return [...jobs.values()];
}

/** Those that begin the name of a property file; else the only one there if it nearly does, as `robotmod.nm` of `robotmode.nm.props`. */
function modelsOf(properties, models) {
  const matching = models.filter((model) => properties.startsWith(model));
  const isNear = models.length === 1 && properties.startsWith(models[0].replace(/\.\w+$/, ''));
  return matching.length === 0 && isNear ? models : matching;
}

function job(folder, model, properties, ofModel, ofFile) {
  const constants = { ...ofModel.constants, ...ofFile.constants };
  const { type = ofModel.type, property, unsupported = ofModel.unsupported } = ofFile;
  const exact = ofModel.exact || ofFile.exact;
  const shown = [
    ...Object.entries(constants).map(([name, value]) => `${name}=${value}`),
    ...(exact ? ['exact'] : []),
    ...(type ? [`as ${type}`] : []),
    ...(property ? [`property ${property}`] : []),
    ...(unsupported ? [unsupported] : []),
  ];
  return {
    title: [basename(properties), ...(shown.length > 0 ? [`(${shown.join(', ')})`] : [])].join(' '),
    model: join(folder, model),
    properties: join(folder, properties),
    constants,
    exact,
    ...(type && { type }),
    ...(property && { property }),
    ...(unsupported && { unsupported }),
  };
}

/** The runs that `….args` beside a file asks for; one without switches if it is absent. */
function runsOf(path) {
  if (!existsSync(`${path}.args`)) return [{ constants: {}, exact: false }];
  const runs = linesOf(`${path}.args`).flatMap(parseSwitches);
  return runs.length > 0 ? runs : [{ constants: {}, exact: false }];
}

function autoRuns(path) {
  return linesOf(path).flatMap((line) => parseSwitches(line).map((run) => ({ line, run })));
}

function linesOf(path) {
  return readFileSync(path, 'utf8')
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '' && !line.startsWith('#'));
}
