/** An error whose message is a sentence for the user. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  /** The header Retry-After in seconds; 0 if it was absent. */
  readonly waitSeconds: number;

  constructor(message: string, waitSeconds = 0) {
    super(message);
    this.waitSeconds = waitSeconds;
  }
}

/** Creates an element with attributes and content. */
export function createElement<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>>,
  content: readonly (Node | string)[] = [],
): HTMLElementTagNameMap[Name] {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
  element.append(...content);
  return element;
}

interface StepDescription {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly submitLabel: string;
  /** Announced while a request is pending. */
  readonly busyLabel: string;
  /** Additional attributes of the input. */
  readonly input: Readonly<Record<string, string>>;
}

const UNKNOWN_ERROR = 'Signing in did not finish. Try again.';

export type Step = ReturnType<typeof createStep>;

/** Creates one step of a login form: an input, a submit button and a line for errors. */
export function createStep({ name, label, hint, submitLabel, busyLabel, input }: StepDescription) {
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
  const content = [labelLine, textInput, hintLine, errorLine, button, status];
  const form = createElement('form', { class: 'otp-step', novalidate: '' }, content);
  let isBusy = false;

  function setBusy(value: boolean): void {
    isBusy = value;
    form.setAttribute('aria-busy', String(value));
    status.textContent = value ? busyLabel : '';
  }

  /** Shows an error and focuses the input; '' removes the error. */
  function showError(message: string): void {
    errorLine.textContent = message;
    textInput.setAttribute('aria-invalid', String(message !== ''));
    if (message === '') return;
    textInput.focus();
    textInput.select();
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
    /** Runs one request at a time; ignored while busy. Shows and returns its error, or null. */
    async run(request: () => Promise<void>): Promise<RequestError | null> {
      if (isBusy) return null;
      setBusy(true);
      showError('');
      try {
        await request();
        return null;
      } catch (cause) {
        const error = cause instanceof RequestError ? cause : new RequestError(UNKNOWN_ERROR);
        showError(error.message);
        return error;
      } finally {
        setBusy(false);
      }
    },
  };
}
