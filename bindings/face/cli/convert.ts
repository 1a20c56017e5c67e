import { InvalidArgumentError } from '../../base/errors.js';
import { build } from '../../solvers/exploration/index.js';
import { writeCombined, writeDot, writeExplicit, writeUmb } from '../../solvers/formats/index.js';
import { type Model, valuationsOf, virtualStart } from '../../solvers/model/index.js';
import { nodeStorage } from '../node/index.js';
import { parseConstants } from './constants.js';
import { loadModelFile, requireOtherFile } from './inputs.js';
import { type Outcome, Progress, plural, type Terminal } from './terminal.js';

interface ConvertCommandOptions {
  readonly input: string;
  readonly output: string;
  readonly const?: readonly string[];
  readonly maxStates?: string;
  readonly digits?: string;
}

/** `foreguard convert`: converts a model from one format to another; the name of the output determines the target format. */
export async function convert(options: ConvertCommandOptions, terminal: Terminal): Promise<Outcome> {
  const { input, output } = options;
  requireOtherFile(output, [input]);
  const format = outputFormat(output);
  const digits = numberOf('--digits', options.digits);
  const model = await readModel(options, terminal);
  const written: string[] = [];
  const write = async (path: string, content: Uint8Array | string): Promise<void> => {
    await nodeStorage.write(path, typeof content === 'string' ? new TextEncoder().encode(content) : content);
    written.push(path);
  };
  const numbers = digits === undefined ? {} : { digits };
  if (format === 'umb') await write(output, await writeUmb(model, { gzip: /\.gz$/.test(output) }));
  else if (format === 'pexp') await write(output, writeCombined(model, numbers));
  else if (format === 'dot') await write(output, writeDot(model));
  else {
    const { tra, sta, lab, srew, trew } = writeExplicit(model, numbers);
    const base = output.replace(/\.tra$/, '');
    // PRISM numbers the files of reward structures if there are several.
    const numbered = (i: number) => (srew.length > 1 ? `${base}${i + 1}` : base);
    await write(output, tra);
    if (sta !== undefined) await write(`${base}.sta`, sta);
    await write(`${base}.lab`, lab);
    for (const [i, text] of srew.entries()) await write(`${numbered(i)}.srew`, text);
    for (const [i, text] of trew.entries()) await write(`${numbered(i)}.trew`, text);
  }
  const size = {
    type: model.type,
    states: model.states,
    choices: model.rowStart.length - 1,
    transitions: model.columns.length,
  };
  const warnings = [...(model.warnings ?? []), ...startInWords(model, format)];
  const text = [
    `${size.type}: ${plural(size.states, 'state')}, ${plural(size.choices, 'choice')}, ${plural(size.transitions, 'transition')}`,
    ...warnings.map((warning) => `warning: ${warning}`),
    `wrote ${written.join(', ')}`,
  ].join('\n');
  return { json: { input, written, model: size, warnings }, text };
}

/** Only a model's own parameters state that its first state precedes step 0, and only UMB keeps them. */
function startInWords(model: Model, format: (typeof OUTPUTS)[string]): string[] {
  if (format === 'umb' || format === 'dot' || virtualStart(model) === undefined) return [];
  return [
    'in this format the learnt model\'s "start" is a step like any other: F<=k there is F<=k-1 of the model that was learnt',
  ];
}

/** The output format, by the extension of the file's name. */
const OUTPUTS: Readonly<Record<string, 'umb' | 'tra' | 'pexp' | 'dot'>> = {
  umb: 'umb',
  tra: 'tra',
  pexp: 'pexp',
  dot: 'dot',
  gv: 'dot',
};

function outputFormat(path: string): (typeof OUTPUTS)[string] {
  const [, extension = '', packed] = /(?:\.([^./\\]+?))?(?:\.([gx]z))?$/i.exec(path) ?? [];
  const format = Object.hasOwn(OUTPUTS, extension.toLowerCase())
    ? OUTPUTS[extension.toLowerCase()]
    : undefined;
  if (packed === 'xz') {
    const plain = path.slice(0, -'.xz'.length);
    throw new InvalidArgumentError(
      `${path}: files cannot be written packed with xz; pack it afterwards: foreguard convert … ${plain} && xz ${plain}`,
    );
  }
  if (format === undefined) {
    const language = /^(?:prism|pm|nm|sm)$/.test(extension)
      ? "models are not written in PRISM's language"
      : 'the format to write is not known';
    throw new InvalidArgumentError(
      `${path}: ${language}; expected a name in ${Object.keys(OUTPUTS)
        .map((known) => `.${known}`)
        .join(', ')} or .umb.gz`,
    );
  }
  if (packed !== undefined && format !== 'umb') {
    throw new InvalidArgumentError(`${path}: only .umb can be written packed; leave .gz out`);
  }
  return format;
}

async function readModel(options: ConvertCommandOptions, terminal: Terminal): Promise<Model> {
  const [constants, ...others] = parseConstants(options.const);
  if (others.length > 0)
    throw new InvalidArgumentError('--const gives a range; a file holds one model: give one value');
  const maxStates = numberOf('--max-states', options.maxStates);
  const file = await loadModelFile(options.input);
  if (file.kind === 'model') {
    if (Object.keys(constants).length === 0) return file.model;
    throw new InvalidArgumentError(
      `${options.input} has no constants; --const is for models in PRISM's language`,
    );
  }
  const progress = new Progress(terminal);
  const { model, variables } = build(file.source, {
    constants,
    ...(maxStates !== undefined && { maxStates }),
    onProgress: ({ states }) => progress.show(() => `${plural(states, 'state')} found`),
  });
  progress.clear();
  return { ...model, valuations: valuationsOf(variables, model.states) };
}

function numberOf(option: string, text: string | undefined): number | undefined {
  if (text === undefined) return undefined;
  const number = Number(text);
  if (Number.isSafeInteger(number) && number > 0) return number;
  throw new InvalidArgumentError(`${option} is "${text}"; expected a positive integer`);
}
