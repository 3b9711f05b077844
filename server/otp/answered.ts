import { NoAnswer } from '#server/http/ask.ts';
import type { Ask, Answer, Question } from '#server/http/ask.ts';

import { providerUnavailable } from './refusals.ts';

/** Asks the provider. Throws Fault 'unavailable' (503) where there is no answer to be read. */
export async function answered(ask: Ask, question: Question): Promise<Answer> {
  try {
    return await ask(question);
  } catch (error) {
    if (error instanceof NoAnswer) throw providerUnavailable(error);
    throw error;
  }
}
