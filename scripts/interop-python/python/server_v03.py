"""An agent of a2a-sdk 0.3.x that acts by the first word of a message, once with streams below /stream/, once without below /poll/."""

import asyncio

import httpx

from a2a.server.agent_execution import AgentExecutor
from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import (
    AgentCapabilities,
    AgentCard,
    AgentSkill,
    DataPart,
    FilePart,
    FileWithBytes,
    Part,
    TextPart,
)
from a2a.utils import new_agent_text_message, new_task
from starlette.applications import Starlette
from starlette.routing import Mount

from serve import bind, public_origin, serve


class WordsExecutor(AgentExecutor):
    async def execute(self, context, event_queue):
        word, _, rest = context.get_user_input().partition(' ')
        if word == 'message':
            await event_queue.enqueue_event(new_agent_text_message(f'direct {rest}', context_id=context.context_id))
            return
        answering = context.current_task is not None
        if not answering:
            await event_queue.enqueue_event(new_task(context.message))
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.start_work()
        if answering:
            await self._reply(updater, f'merged into {context.get_user_input()}')
        else:
            await self._act(updater, word, rest)

    async def _act(self, updater, word, rest):
        if word == 'fail':
            await updater.failed(new_agent_text_message(f'because {rest}'))
        elif word == 'ask':
            await updater.requires_input(new_agent_text_message('Which branch?'), final=True)
        elif word == 'pieces':
            for nth, piece in enumerate(['one, ', 'two, ', 'three']):
                await updater.add_artifact(
                    [text_part(piece)], artifact_id='pieces', append=nth > 0, last_chunk=nth == 2
                )
                await asyncio.sleep(0.05)
            await updater.complete()
        elif word == 'slow':
            await asyncio.sleep(float(rest))
            await self._reply(updater, f'slept {rest} s')
        elif word == 'wait':
            await asyncio.sleep(3600)
        elif word == 'files':
            report = FileWithBytes(bytes='JVBERi0=', name='report.pdf', mime_type='application/pdf')
            parts = [Part(root=FilePart(file=report)), Part(root=DataPart(data={'rows': [1, 2]}))]
            await updater.add_artifact(parts, artifact_id='files')
            await updater.complete()
        else:
            await self._reply(updater, f'{word} {rest}, said the agent')

    async def _reply(self, updater, text):
        await updater.add_artifact([text_part(text)], artifact_id='reply', last_chunk=True)
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def text_part(text):
    return Part(root=TextPart(text=text))


def agent_at(url, streaming):
    card = AgentCard(
        name='python-0.3',
        description='Acts by the first word of a message.',
        version='1.0.0',
        url=url,
        capabilities=AgentCapabilities(streaming=streaming, push_notifications=True),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        skills=[AgentSkill(id='words', name='Words', description='Acts by a word.', tags=['test'])],
    )
    configs = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(
        agent_executor=WordsExecutor(),
        task_store=InMemoryTaskStore(),
        push_config_store=configs,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
    )
    return A2AStarletteApplication(card, handler).routes()


listening, origin = bind()
public = public_origin(origin)
routes = [
    Mount('/stream', routes=agent_at(f'{public}/stream/', True)),
    Mount('/poll', routes=agent_at(f'{public}/poll/', False)),
]
serve(listening, origin, Starlette(routes=routes))
