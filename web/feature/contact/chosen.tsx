import { useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { changeContacts, exportCsv } from '#contract/contacts-view.ts';
import { TAGS_MAX, TAG_LENGTH_MAX } from '#domain/contact.ts';
import { cleanInput } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { useDownload } from '#web/shared/http/save-file.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { onSubmit } from '#web/shared/ui/field.tsx';

import { reloadLists } from './use-contacts.ts';
import type { Selection } from './selection.tsx';

/** Returns what to say. Rejects with a CallError. */
async function change(contacts: string[], what: { tag: string } | { delete: boolean }) {
  const input = { body: { contacts, ...what } };
  const { body } = await send(changeContacts, input);
  reloadLists();
  const full = contacts.length - body.contacts.length;
  return full === 0 ? 'Done.' : `${full} have ${TAGS_MAX} tags already.`;
}

interface ChosenProps {
  readonly chosen: ReadonlySet<string>;
  readonly selection: Selection;
}

export function Chosen({ chosen, selection: { choose, addUndo } }: ChosenProps) {
  const [tag, setTag] = useState('');
  const { isBusy, message, download } = useDownload();
  const contacts = [...chosen];
  const offerUndo = () => {
    const [name, text] =
      chosen.size === 1
        ? ['1 contact', 'is deleted.']
        : [`${chosen.size} contacts`, 'are deleted.'];
    const undo = () => change(contacts, { delete: false });
    addUndo({ id: contacts.join(' '), name, text, undo, takesFocus: true });
  };
  const { mutate, isPending, data, error } = useMutation({
    mutationFn: async (what: { tag: string } | { delete: true }) => {
      const said = await change(contacts, what);
      // The form may have been closed meanwhile.
      if ('delete' in what) offerUndo();
      return said;
    },
  });
  const shared = { isBusy: isPending || isBusy || chosen.size === 0 };
  return (
    <form
      className="contacts-chosen panel row"
      aria-label="Chosen contacts"
      onSubmit={onSubmit(() => {
        const text = cleanInput(tag).trim();
        if (!shared.isBusy && text !== '') mutate({ tag: text });
      })}
    >
      <output>{`${chosen.size} chosen`}</output>
      <input
        className="field-input"
        aria-label="Tag for the chosen"
        placeholder="Tag"
        value={tag}
        maxLength={TAG_LENGTH_MAX}
        dir="auto"
        autoComplete="off"
        onChange={({ target }) => setTag(target.value)}
      />
      <Button type="submit" {...shared}>
        Tag
      </Button>
      <Button
        {...shared}
        onClick={() => download(exportCsv, { body: { contacts } }, 'contacts.csv')}
      >
        Export
      </Button>
      <Button
        {...shared}
        onClick={() => mutate({ delete: true }, { onSuccess: () => choose(null) })}
      >
        Delete
      </Button>
      <output className={error ? 'error' : 'muted'}>{error?.message ?? data ?? message}</output>
    </form>
  );
}
