import { createElement } from '#web/shared/ui/create-element.ts';

import { codeTexts } from './texts.ts';

/** Its message is a sentence for the user. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** Retry-After; 0 if it was absent. */
  readonly waitSeconds: number;

  constructor(message: string, waitSeconds = 0) {
    super(message);
    this.waitSeconds = waitSeconds;
  }
}

interface StepDescription {
  readonly name: 'phone' | 'code';
  readonly title?: string;
  readonly label: string;
  readonly hint: string;
  readonly emptyError: string;
  readonly submitLabel: string;
  /** Announced while a request is pending. */
  readonly busyLabel: string;
  readonly input: Readonly<Record<string, string>>;
}

export type Step = ReturnType<typeof createStep>;

export function createStep(description: StepDescription) {
  const { form, textInput, hintLine, errorLine, status } = createElements(description);
  const { emptyError, busyLabel } = description;
  let isBusy = false;

  function setBusy(value: boolean): void {
    isBusy = value;
    form.setAttribute('aria-busy', String(value));
    status.textContent = value ? busyLabel : '';
  }

  /** Also focuses the input; '' removes the error. */
  function showError(message: string): void {
    errorLine.textContent = message;
    textInput.setAttribute('aria-invalid', String(message !== ''));
    if (message === '') return;
    textInput.focus();
    // A phone is corrected, a code is typed again.
    if (description.name === 'code') textInput.select();
    else textInput.setSelectionRange(textInput.value.length, textInput.value.length);
  }

  /** One at a time; ignored while busy. Shows and returns its error. */
  async function run(request: () => Promise<void>): Promise<RequestError | null> {
    if (isBusy) return null;
    setBusy(true);
    showError('');
    try {
      await request();
      return null;
    } catch (cause) {
      const error =
        cause instanceof RequestError ? cause : new RequestError(codeTexts().notFinished);
      showError(error.message);
      return error;
    } finally {
      setBusy(false);
    }
  }

  return {
    form,
    textInput,
    hintLine,
    showError,
    isBusy: () => isBusy,
    clear(): void {
      textInput.value = '';
      showError('');
    },
    /** Unless it is busy or the input is empty. */
    onSubmit(request: () => Promise<void>): void {
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        if (isBusy) return;
        if (textInput.value.trim() === '') showError(emptyError);
        else void run(request);
      });
    },
    run,
  };
}

function createElements({ name, title, label, hint, submitLabel, input }: StepDescription) {
  const id = `otp-${name}`;
  const textInput = createElement('input', {
    id,
    name,
    class: 'otp-input',
    'aria-describedby': `${id}-hint ${id}-error`,
    ...input,
  });
  const hintLine = createElement('p', { id: `${id}-hint`, class: 'otp-hint' }, [hint]);
  const errorLine = createElement('p', { id: `${id}-error`, class: 'otp-error', role: 'alert' });
  const button = createElement('button', { class: 'otp-button', type: 'submit' }, [submitLabel]);
  const labelLine = createElement('label', { class: 'otp-label', for: id }, [label]);
  const status = createElement('output', { class: 'otp-status' });
  const titleLine =
    title === undefined ? [] : [createElement('p', { class: 'otp-title' }, [title])];
  const content = [...titleLine, labelLine, textInput, hintLine, errorLine, button, status];
  const form = createElement('form', { class: 'otp-step', novalidate: '' }, content);
  return { form, textInput, hintLine, errorLine, status };
}
