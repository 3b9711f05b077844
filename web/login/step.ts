import { Refusal } from './calls.ts';
import { element } from './element.ts';

interface Description {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly submit: string;
  /** What else the text box is: its keyboard, its autocomplete. */
  readonly input: Readonly<Record<string, string>>;
}

const UNFINISHED = 'Signing in did not finish. Try again.';

/** One step of the widget: a form with one text box, one button, and a line for what went wrong. */
export function drawStep({ name, label, hint, submit, input }: Description) {
  const id = `otp-${name}`;
  const describedBy = `${id}-hint ${id}-error`;
  const text = element('input', {
    id,
    name,
    class: 'otp-input',
    'aria-describedby': describedBy,
    ...input,
  });
  const hintLine = element('p', { id: `${id}-hint`, class: 'otp-hint' }, [hint]);
  const errorLine = element('p', { id: `${id}-error`, class: 'otp-error', role: 'alert' });
  const button = element('button', { class: 'otp-button', type: 'submit' }, [submit]);
  const labelLine = element('label', { class: 'otp-label', for: id }, [label]);
  const content = [labelLine, text, hintLine, errorLine, button];
  const form = element('form', { class: 'otp-step', novalidate: '' }, content);
  let isBusy = false;

  function setBusy(value: boolean): void {
    isBusy = value;
    button.disabled = value;
    form.setAttribute('aria-busy', String(value));
  }

  /** Says what went wrong, and brings the person back to the text box; '' is nothing. */
  function complain(sentence: string): void {
    errorLine.textContent = sentence;
    text.setAttribute('aria-invalid', String(sentence !== ''));
    if (sentence === '') return;
    text.focus();
    text.select();
  }

  return {
    form,
    text,
    hintLine,
    complain,
    isBusy: () => isBusy,
    /**
     * Runs a call, one at a time: what is pressed meanwhile is not sent. Shows a refusal and gives
     * it back; null where all went well.
     */
    async run(work: () => Promise<void>): Promise<Refusal | null> {
      if (isBusy) return null;
      setBusy(true);
      complain('');
      try {
        await work();
        return null;
      } catch (error) {
        const refusal = error instanceof Refusal ? error : new Refusal(UNFINISHED);
        complain(refusal.message);
        return refusal;
      } finally {
        setBusy(false);
      }
    },
  };
}
