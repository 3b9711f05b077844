import { useRef, useState } from 'react';
import type { FormEvent } from 'react';

import { useMutation } from '@tanstack/react-query';

import { saveTags } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { TAGS_MAX, TAG_LENGTH_MAX } from '#domain/contact.ts';
import { cleanInput } from '#domain/text.ts';
import { send } from '#web/shared/http/call.ts';
import { ownerParams } from '#web/shared/http/query.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';
import { LineIcon } from '#web/shared/ui/line-icon.tsx';

interface TagsProps {
  readonly contact: OwnContact;
  readonly onSaved: (tags: string[]) => void;
}

/** Each change is saved at once. */
export function Tags({ contact: { _id, tags }, onSaved }: TagsProps) {
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);

  const { mutate, isPending, error } = useMutation({
    mutationFn: (next: string[]) =>
      send(saveTags, { params: ownerParams(), body: { contact: _id, tags: next } }),
    onSuccess: ({ body }) => onSaved(body.tags),
  });
  const add = (event: FormEvent) => {
    event.preventDefault();
    const tag = cleanInput(typed).trim();
    if (isPending || tag === '') return;
    const clear = () => setTyped((now) => (now === typed ? '' : now));
    if (tags.includes(tag)) clear();
    else mutate([...tags, tag], { onSuccess: clear });
  };
  const remove = (tag: string) => {
    if (isPending) return;
    const others = tags.filter((one) => one !== tag);
    // The focused button is removed with its tag.
    mutate(others, { onSuccess: () => input.current?.focus() });
  };
  const isFull = tags.length >= TAGS_MAX;
  return (
    <div className="contact-tags">
      {tags.length > 0 && (
        <ul className="contacts-tags row" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag} className="contacts-tag tag">
              <bdi>{tag}</bdi>
              <button type="button" aria-label={`Remove ${tag}`} onClick={() => remove(tag)}>
                <LineIcon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={add}>
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
