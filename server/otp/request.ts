import { NoResponseError } from '#server/http/client.ts';
import type { HttpClient, HttpResponse, HttpRequest } from '#server/http/client.ts';

import { providerUnavailable } from './errors.ts';

/** Asks the provider. Throws ApiError 'unavailable' (503) where there is no answer to be read. */
export async function answered(
  httpClient: HttpClient,
  question: HttpRequest,
): Promise<HttpResponse> {
  try {
    return await httpClient(question);
  } catch (error) {
    if (error instanceof NoResponseError) throw providerUnavailable(error);
    throw error;
  }
}
