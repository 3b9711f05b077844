import { useRef, useState } from 'react';
import type { FormEvent } from 'react';

import { saveTags } from '#contract/contacts-view.ts';
import type { OwnContact } from '#contract/contacts-view.ts';
import { TAGS_MAX, TAG_LENGTH_MAX } from '#domain/contact-note.ts';
import { cleanInput } from '#domain/text.ts';
import { storedId } from '#web/shared/http/session.ts';
import { Button } from '#web/shared/ui/button.tsx';
import { Field } from '#web/shared/ui/field.tsx';
import { LineIcon } from '#web/shared/ui/line-icon.tsx';

import { useCall } from '#web/shared/http/use-call.ts';

interface TagsProps {
  readonly contact: OwnContact;
  readonly onSaved: (tags: string[]) => void;
}

/** Each change is saved at once. */
export function Tags({ contact: { _id, tags }, onSaved }: TagsProps) {
  const { isBusy, failure, run } = useCall();
  const [typed, setTyped] = useState('');
  const input = useRef<HTMLInputElement>(null);

  const save = async (next: readonly string[]): Promise<boolean> => {
    const body = { contact: _id, tags: [...next] };
    const reply = await run(saveTags, { params: { id: storedId() ?? '' }, body });
    if (reply) onSaved(reply.tags);
    return reply !== null;
  };
  const add = async (event: FormEvent) => {
    event.preventDefault();
    const tag = cleanInput(typed, TAG_LENGTH_MAX).trim();
    if (isBusy || tag === '') return;
    if (tags.includes(tag) || (await save([...tags, tag]))) {
      setTyped((now) => (now === typed ? '' : now));
    }
  };
  const remove = async (tag: string) => {
    if (isBusy) return;
    // The focused button is removed with its tag.
    if (await save(tags.filter((one) => one !== tag))) input.current?.focus();
  };
  const isFull = tags.length >= TAGS_MAX;
  return (
    <div className="contact-tags">
      {tags.length > 0 && (
        <ul className="contacts-tags" aria-label="Tags">
          {tags.map((tag) => (
            <li key={tag} className="contacts-tag">
              <bdi>{tag}</bdi>
              <button type="button" aria-label={`Remove ${tag}`} onClick={() => void remove(tag)}>
                <LineIcon name="close" />
              </button>
            </li>
          ))}
        </ul>
      )}
      <form onSubmit={(event) => void add(event)}>
        <Field
          label="Add a tag"
          value={typed}
          lengthMax={TAG_LENGTH_MAX}
          onChange={setTyped}
          error={failure}
          hint={() => (isFull ? `A contact has at most ${TAGS_MAX} tags.` : '')}
          disabled={isFull}
          autoComplete="off"
          enterKeyHint="done"
          inputRef={input}
        />
        <Button type="submit" isBusy={isBusy}>
          Add
        </Button>
      </form>
    </div>
  );
}
