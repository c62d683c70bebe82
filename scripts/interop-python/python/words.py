"""An agent that acts by the first word of a message, in the terms of whichever version of a2a-sdk runs it."""

import asyncio

from a2a.server.agent_execution import AgentExecutor
from a2a.server.tasks import TaskUpdater


class WordsExecutor(AgentExecutor):
    """A subclass says how its version spells `new_task`, `message`, `text_part` and `file_parts`, and what `asking` takes."""

    # What its updater wants besides the message, so that a question ends the turn.
    asking = {}

    async def execute(self, context, event_queue):
        word, _, rest = context.get_user_input().partition(' ')
        if word == 'message':
            await event_queue.enqueue_event(self.message(f'direct {rest}', context_id=context.context_id))
            return
        answering = context.current_task is not None
        if not answering:
            await event_queue.enqueue_event(self.new_task(context.message))
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.start_work()
        if answering:
            await self._reply(updater, f'merged into {context.get_user_input()}')
        else:
            await self._act(updater, word, rest)

    async def _act(self, updater, word, rest):
        if word == 'fail':
            await updater.failed(self.message(f'because {rest}'))
        elif word == 'ask':
            await updater.requires_input(self.message('Which branch?'), **self.asking)
        elif word == 'pieces':
            for nth, piece in enumerate(['one, ', 'two, ', 'three']):
                await updater.add_artifact(
                    [self.text_part(piece)], artifact_id='pieces', append=nth > 0, last_chunk=nth == 2
                )
                await asyncio.sleep(0.05)
            await updater.complete()
        elif word == 'slow':
            await asyncio.sleep(float(rest))
            await self._reply(updater, f'slept {rest} s')
        elif word == 'wait':
            await asyncio.sleep(3600)
        elif word == 'files':
            await updater.add_artifact(self.file_parts(), artifact_id='files')
            await updater.complete()
        else:
            await self._reply(updater, f'{word} {rest}, said the agent')

    async def _reply(self, updater, text):
        await updater.add_artifact([self.text_part(text)], artifact_id='reply', last_chunk=True)
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()
