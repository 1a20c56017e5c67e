import type { McpMessage } from './message.js';

type Fields = Readonly<Record<string, unknown>>;
type Rename = (id: string) => string;

/** The key under which a message names the task that it belongs to. */
const RELATED = 'io.modelcontextprotocol/related-task';
/** Requests about a task, which name it in their parameters. */
export const ABOUT_TASKS: ReadonlySet<string | undefined> = new Set([
  'tasks/get',
  'tasks/result',
  'tasks/cancel',
]);
const OVER: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** The id of the task that a call of a tool has become; undefined if it has been answered as others. */
export function taskBegun(result: Fields | undefined): string | undefined {
  const id = isFields(result?.task) ? result.task.taskId : undefined;
  return typeof id === 'string' ? id : undefined;
}

/** The task of a message that says that it is over; undefined for any other message. */
export function taskOver({ method, params, result }: McpMessage, asked: string | undefined): unknown {
  const told = method === 'notifications/tasks/status' ? params : ABOUT_TASKS.has(asked) ? result : undefined;
  return OVER.has(told?.status) ? told?.taskId : undefined;
}

/**
 * A message in which the ids of tasks are others: of the task that it is about, and of the one that it belongs to.
 *
 * @param asked the method that a response is to
 */
export function withTaskIds(message: McpMessage, asked: string | undefined, rename: Rename): McpMessage {
  const { method, params, result } = message;
  const isAbout = ABOUT_TASKS.has(method) || method === 'notifications/tasks/status';
  const answers = asked === 'tasks/get' || asked === 'tasks/cancel';
  const begun = asked === 'tools/call' && result !== undefined ? renamedTask(result, rename) : result;
  return {
    ...message,
    ...(params && { params: renamed(params, isAbout, rename) }),
    ...(begun && { result: renamed(begun, answers, rename) }),
  };
}

/** The tasks of a list, under other ids. */
export function renamedTasks(tasks: readonly Fields[], rename: Rename): Fields[] {
  return tasks.map((task) => renamed(task, true, rename));
}

function renamedTask(result: Fields, rename: Rename): Fields {
  return isFields(result.task) ? { ...result, task: renamed(result.task, true, rename) } : result;
}

function renamed(fields: Fields, isAbout: boolean, rename: Rename): Fields {
  const { _meta: meta, taskId } = fields;
  const related = isFields(meta) ? meta[RELATED] : undefined;
  const own = isFields(related) ? related.taskId : undefined;
  return {
    ...fields,
    ...(isAbout && typeof taskId === 'string' && { taskId: rename(taskId) }),
    ...(typeof own === 'string' && {
      _meta: { ...(meta as Fields), [RELATED]: { ...(related as Fields), taskId: rename(own) } },
    }),
  };
}

function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null;
}
