import type { Catalogue } from '#domain/language/catalogue.ts';
import { CODE } from '#domain/language/en.ts';
import { createElement } from '#web/shared/ui/create-element.ts';

let code: Catalogue['code'] = CODE;

/** The texts of the forms for a phone and its code. */
export const codeTexts = (): Catalogue['code'] => code;

export function setCodeTexts(texts: Catalogue['code']): void {
  code = texts;
}

/** With which the calls of the page answer too. */
export const pageLanguage = (): string => document.documentElement.lang || 'en';

/** The message of the error is a sentence for the user. */
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
  readonly title?: string | undefined;
  /** Without one the step has no input. */
  readonly label?: string | undefined;
  readonly hint: string;
  readonly emptyError: string;
  /** Without one Enter submits. */
  readonly submitLabel?: string | undefined;
  /** Announced while a request is pending. */
  readonly busyLabel: string;
  readonly input: Readonly<Record<string, string>>;
}

export type Step = ReturnType<typeof createStep>;

export function createStep(description: StepDescription) {
  const { form, textInput, hintLine, errorLine, button, status } = createElements(description);
  const { label, emptyError, busyLabel } = description;
  let isBusy = false;

  function setBusy(value: boolean): void {
    isBusy = value;
    form.setAttribute('aria-busy', String(value));
    status.textContent = value ? busyLabel : '';
  }

  /** Shows the message and focuses the input; '' removes the error. */
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
    focus: () => (label === undefined ? button : textInput).focus(),
    clear(): void {
      textInput.value = '';
      showError('');
    },
    /** Unless it is busy or the input is empty. */
    onSubmit(request: () => Promise<void>): void {
      form.addEventListener('submit', (event) => {
        event.preventDefault();
        if (isBusy) return;
        if (label !== undefined && textInput.value.trim() === '') showError(emptyError);
        else void run(request);
      });
    },
    run,
  };
}

/** A dialog can have two forms. */
let stepCount = 0;

function createElements({ name, title, label, hint, submitLabel, input }: StepDescription) {
  stepCount += 1;
  const id = `otp-${name}-${stepCount}`;
  const textInput = createElement('input', {
    id,
    name,
    class: 'otp-input',
    'aria-describedby': `${id}-hint ${id}-error`,
    ...input,
  });
  const hintLine = createElement('p', { id: `${id}-hint`, class: 'otp-hint' }, [hint]);
  const errorLine = createElement('p', { id: `${id}-error`, class: 'otp-error', role: 'alert' });
  const button = createElement('button', { class: 'otp-button', type: 'submit' }, [
    submitLabel ?? '',
  ]);
  const status = createElement('output', { class: 'otp-status visually-hidden' });
  const form = createElement('form', { class: 'otp-step', novalidate: '' });
  if (title !== undefined) form.append(createElement('p', { class: 'otp-title' }, [title]));
  if (label !== undefined) {
    form.append(createElement('label', { class: 'otp-label', for: id }, [label]), textInput);
  }
  form.append(createElement('div', { class: 'otp-note' }, [hintLine, errorLine]));
  if (submitLabel !== undefined) form.append(button);
  form.append(status);
  return { form, textInput, hintLine, errorLine, button, status };
}
