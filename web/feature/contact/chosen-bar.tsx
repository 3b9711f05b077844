import { useEffect, useRef, useState } from 'react';
import type { Ref } from 'react';

import { useMutation } from '@tanstack/react-query';

import { changeContacts, exportCsv } from '#contract/contacts-view.ts';
import { TAGS_MAX, TAG_LENGTH_MAX } from '#domain/contact.ts';
import { cleanLineInput } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { useDownload } from '#web/shared/http/save-file.ts';
import { Button, IconButton } from '#web/shared/ui/button.tsx';

import type { Selection } from './selection.tsx';
import { reloadLists } from './use-contacts.ts';

/** Returns the sentence to show. Rejects with a CallError. */
async function changeAll(contacts: string[], operation: { tag: string } | { delete: boolean }) {
  const input = { body: { contacts, ...operation } };
  const { body } = await send(changeContacts, input);
  reloadLists();
  const unchangedCount = contacts.length - body.contacts.length;
  return unchangedCount === 0 ? 'Done.' : `${unchangedCount} already have ${TAGS_MAX} tags.`;
}

function useChangeAll(chosen: ReadonlySet<string>, { addUndo }: Selection) {
  const contacts = [...chosen];
  const offerUndo = () => {
    const [name, text] =
      chosen.size === 1
        ? ['1 contact', 'is deleted.']
        : [`${chosen.size} contacts`, 'are deleted.'];
    const undo = () => changeAll(contacts, { delete: false });
    addUndo({ id: contacts.join(' '), name, text, undo, takesFocus: true });
  };
  return useMutation({
    mutationFn: async (operation: { tag: string } | { delete: true }) => {
      const sentence = await changeAll(contacts, operation);
      // This runs here, because the callbacks of `mutate` do not run if the form has been closed meanwhile.
      if ('delete' in operation) offerUndo();
      return sentence;
    },
  });
}

interface ChosenBarProps {
  readonly chosen: ReadonlySet<string>;
  readonly selection: Selection;
  readonly onClose: () => void;
}

/** 'Tag' replaces the buttons with the input for the tag, so that the bar needs only one row on a phone. */
export function ChosenBar({ chosen, selection, onClose }: ChosenBarProps) {
  const [isTagging, setTagging] = useState(false);
  const tagButton = useRef<HTMLButtonElement>(null);
  const tagInput = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isTagging) tagInput.current?.focus();
  }, [isTagging]);
  const { isBusy, message, download } = useDownload();
  const { mutate, isPending, data, error } = useChangeAll(chosen, selection);
  const buttonProps = {
    variant: 'plain',
    isBusy: isPending || isBusy || chosen.size === 0,
  } as const;
  const endTagging = () => {
    setTagging(false);
    tagButton.current?.focus();
  };
  const saveTag = () => {
    const text = cleanLineInput(tagInput.current?.value ?? '').trim();
    if (!isTagging) setTagging(true);
    else if (!buttonProps.isBusy && text !== '') mutate({ tag: text }, { onSuccess: endTagging });
  };
  return (
    <form
      className="contacts-chosen panel"
      aria-label="Chosen contacts"
      onSubmit={(event) => {
        event.preventDefault();
        saveTag();
      }}
    >
      <IconButton name="Close" icon="close" onClick={isTagging ? endTagging : onClose} />
      {isTagging ? <TagInput ref={tagInput} /> : <output>{`${chosen.size} chosen`}</output>}
      <Button ref={tagButton} type="submit" {...buttonProps}>
        Tag
      </Button>
      {!isTagging && (
        <>
          <Button
            {...buttonProps}
            onClick={() => download(exportCsv, { body: { contacts: [...chosen] } }, 'contacts.csv')}
          >
            Export
          </Button>
          <Button
            {...buttonProps}
            onClick={() => mutate({ delete: true }, { onSuccess: () => selection.choose(null) })}
          >
            Delete
          </Button>
        </>
      )}
      <output className={error ? 'error' : 'muted'}>{error?.message ?? data ?? message}</output>
    </form>
  );
}

function TagInput({ ref }: { readonly ref: Ref<HTMLInputElement> }) {
  return (
    <input
      ref={ref}
      className="field-input"
      aria-label="Tag for the chosen"
      placeholder="Tag"
      maxLength={TAG_LENGTH_MAX}
      dir="auto"
      autoComplete="off"
    />
  );
}
