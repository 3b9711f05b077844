import { useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { saveTags } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { BROWSER_STORAGE } from '#domain/browser-storage.ts';
import { TAGS_MAX, TAG_LENGTH_MAX } from '#domain/contact.ts';
import { cleanLineInput } from '#domain/text.ts';
import { readItem, writeItem } from '#web/shared/http/browser-storage.ts';
import { send } from '#web/shared/http/call.ts';
import { Button, LineIcon } from '#web/shared/ui/button.tsx';
import { Field, onSubmit } from '#web/shared/ui/field.tsx';

/** This device stores the tag that was added last, and offers it (docs/develop/product.md#storage-keys). */
const LAST_KEY = BROWSER_STORAGE.localStorage.lastTag;

interface TagsProps {
  readonly contact: OwnContact;
  readonly onSaved: (tags: string[]) => void;
}

/** Saves each change at once. */
export function Tags({ contact: { _id, tags }, onSaved }: TagsProps) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);

  const { mutate, isPending, error } = useMutation({
    mutationFn: (next: string[]) =>
      send(saveTags, { body: { contact: _id, tags: next, base: tags } }),
    onSuccess: ({ body }, next) => {
      const added = next.find((tag) => !tags.includes(tag));
      if (added !== undefined) writeItem(LAST_KEY, added);
      onSaved(body.tags);
    },
  });
  // The pressed button disappears, so the focus moves to the input.
  const focusInput = () => input.current?.focus();
  const add = () => {
    const tag = cleanLineInput(typed).trim();
    if (isPending || tag === '') return;
    const clear = () => setTyped((now) => (now === typed ? '' : now));
    if (tags.includes(tag)) clear();
    else mutate([...tags, tag], { onSuccess: clear });
  };
  const addLast = (tag: string) => {
    if (!isPending) mutate([...tags, tag], { onSuccess: focusInput });
  };
  const remove = (tag: string) => {
    if (isPending) return;
    const others = tags.filter((one) => one !== tag);
    mutate(others, { onSuccess: focusInput });
  };
  const isFull = tags.length >= TAGS_MAX;
  const last = readItem(LAST_KEY);
  const offered = last === null || isFull || tags.includes(last) ? null : last;
  return (
    <div className="contact-tags">
      <Chips tags={tags} offered={offered} onRemove={remove} onAdd={addLast} />
      <form onSubmit={onSubmit(add)}>
        <Field
          label="Add a tag"
          value={typed}
          lengthMax={TAG_LENGTH_MAX}
          onChange={setTyped}
          error={error?.message}
          hint={() => (isFull ? `A contact can have up to ${TAGS_MAX} tags.` : '')}
          disabled={isFull}
          autoComplete="off"
          enterKeyHint="done"
          inputRef={input}
        />
        <Button type="submit" isBusy={isPending}>
          Add
        </Button>
      </form>
    </div>
  );
}

interface ChipsProps {
  readonly tags: readonly string[];
  readonly offered: string | null;
  readonly onRemove: (tag: string) => void;
  readonly onAdd: (tag: string) => void;
}

function Chips({ tags, offered, onRemove, onAdd }: ChipsProps) {
  if (tags.length === 0 && offered === null) return null;
  return (
    <ul className="contacts-tags row" aria-label="Tags">
      {tags.map((tag) => (
        <li key={tag} className="contacts-tag tag">
          <bdi>{tag}</bdi>
          <button type="button" aria-label={`Remove ${tag}`} onClick={() => onRemove(tag)}>
            <LineIcon name="close" />
          </button>
        </li>
      ))}
      {offered !== null && (
        <li className="contacts-tag contacts-tag-last tag">
          <button type="button" aria-label={`Add ${offered}`} onClick={() => onAdd(offered)}>
            <LineIcon name="plus" />
            <bdi>{offered}</bdi>
          </button>
        </li>
      )}
    </ul>
  );
}
