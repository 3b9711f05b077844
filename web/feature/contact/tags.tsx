import { useRef, useState } from 'react';

import { useMutation } from '@tanstack/react-query';

import { saveTags } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { TAGS_MAX, TAG_LENGTH_MAX } from '#domain/contact.ts';
import { cleanInput } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { Button, LineIcon } from '#web/shared/ui/button.tsx';
import { Field, onSubmit } from '#web/shared/ui/field.tsx';

/** On this device: the tag that was added last, for the next contact (docs/product.md#storage-keys). */
const LAST_KEY = 'lastTag';

interface TagsProps {
  readonly contact: OwnContact;
  readonly onSaved: (tags: string[]) => void;
}

/** Each change is saved at once. */
export function Tags({ contact: { _id, tags }, onSaved }: TagsProps) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);

  const { mutate, isPending, error } = useMutation({
    mutationFn: (next: string[]) => send(saveTags, { body: { contact: _id, tags: next } }),
    onSuccess: ({ body }, next) => {
      const added = next.find((tag) => !tags.includes(tag));
      if (added !== undefined) localStorage.setItem(LAST_KEY, added);
      onSaved(body.tags);
    },
  });
  const add = () => {
    const tag = cleanInput(typed).trim();
    if (isPending || tag === '') return;
    const clear = () => setTyped((now) => (now === typed ? '' : now));
    if (tags.includes(tag)) clear();
    else mutate([...tags, tag], { onSuccess: clear });
  };
  // The pressed chip disappears.
  const addLast = (tag: string) => {
    if (!isPending) mutate([...tags, tag], { onSuccess: () => input.current?.focus() });
  };
  const remove = (tag: string) => {
    if (isPending) return;
    const others = tags.filter((one) => one !== tag);
    // The focused button is removed with its tag.
    mutate(others, { onSuccess: () => input.current?.focus() });
  };
  const isFull = tags.length >= TAGS_MAX;
  const last = localStorage.getItem(LAST_KEY);
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
          hint={() => (isFull ? `A contact has at most ${TAGS_MAX} tags.` : '')}
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
