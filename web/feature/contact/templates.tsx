import { useState } from 'react';
import type { FormEvent } from 'react';

import { useMutation } from '@tanstack/react-query';

import { saveTemplates } from '#contract/contacts-view.ts';
import {
  FIRST_TEMPLATE,
  PLACEHOLDERS,
  TEMPLATES_MAX,
  TEMPLATE_LENGTHS_MAX,
} from '#domain/follow-up.ts';
import type { Template } from '#domain/follow-up.ts';
import { cleanInput, trimText } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Dialog } from '#web/shared/ui/dialog.tsx';
import { Field } from '#web/shared/ui/field.tsx';

import { reloadLists } from './use-contacts.ts';

const ROWS = 4;
const EMPTY: Template = { name: '', text: '' };

interface TemplatesProps {
  readonly templates: readonly Template[];
  readonly onClose: () => void;
}

/** One without a text is removed. */
export function Templates({ templates, onClose }: TemplatesProps) {
  const [typed, setTyped] = useState<readonly Template[]>(
    templates.length > 0 ? templates : [FIRST_TEMPLATE],
  );
  const { mutate, isPending, error } = useMutation({
    mutationFn: (saved: Template[]) => send(saveTemplates, { body: { templates: saved } }),
    onSuccess: () => {
      reloadLists();
      onClose();
    },
  });
  const save = (event: FormEvent) => {
    event.preventDefault();
    const cleaned = typed.map(({ name, text }) => ({
      name: trimText(cleanInput(name)) || FIRST_TEMPLATE.name,
      text: trimText(cleanInput(text)),
    }));
    if (!isPending) mutate(cleaned.filter(({ text }) => text !== ''));
  };
  const change = (index: number, patch: Partial<Template>) =>
    setTyped(typed.map((one, position) => (position === index ? { ...one, ...patch } : one)));
  return (
    <Dialog title="Templates" className="dialog panel dialog-wide" onClose={onClose}>
      <form onSubmit={save}>
        <p className="muted">
          {`Filled in for each contact: ${PLACEHOLDERS.map((name) => `{${name}}`).join(', ')}.`}
        </p>
        {typed.map(({ name, text }, index) => (
          // eslint-disable-next-line react/no-array-index-key -- a template has no id
          <fieldset key={index} className="templates-one">
            <Field
              label="Template name"
              value={name}
              lengthMax={TEMPLATE_LENGTHS_MAX.name}
              onChange={(value) => change(index, { name: value })}
              autoComplete="off"
            />
            <Field
              label="Template text"
              value={text}
              lengthMax={TEMPLATE_LENGTHS_MAX.text}
              rows={ROWS}
              onChange={(value) => change(index, { text: value })}
            />
          </fieldset>
        ))}
        {typed.length < TEMPLATES_MAX && (
          <Button onClick={() => setTyped([...typed, EMPTY])}>Add a template</Button>
        )}
        <output className="error">{error?.message}</output>
        <div className="dialog-actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button type="submit" variant="main" isBusy={isPending}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
