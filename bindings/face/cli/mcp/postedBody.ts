import type { IncomingMessage } from 'node:http';
import type { RequestId } from '../../../runtime/adapters/mcp/index.js';

/** Reads the body of a request as text; null if it is longer than `maxBytes`. @throws any error of the connection */
export async function postedBody(request: IncomingMessage, maxBytes: number): Promise<string | null> {
  if (Number(request.headers['content-length'] ?? 0) > maxBytes) return null;
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    size += chunk.length;
    if (size > maxBytes) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString('utf8');
}

/** The ids of the requests among the messages of a body, which holds one message or a batch of them. */
export function requestIdsOf(body: unknown): RequestId[] {
  return (Array.isArray(body) ? body : [body]).flatMap((message: unknown) => {
    const { id, method } = (message ?? {}) as { readonly id?: unknown; readonly method?: unknown };
    return method !== undefined && (typeof id === 'string' || typeof id === 'number') ? [id] : [];
  });
}
