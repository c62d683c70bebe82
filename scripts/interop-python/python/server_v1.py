"""An agent of a2a-sdk 1.x that acts by the first word of a message, once with streams below /stream/, once without below /poll/."""

import asyncio

import httpx

from a2a.helpers import new_task_from_user_message, new_text_message, new_text_part
from a2a.server.agent_execution import AgentExecutor
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
    TaskUpdater,
)
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part
from google.protobuf import json_format, struct_pb2
from starlette.applications import Starlette
from starlette.routing import Mount

from serve import bind, public_origin, serve


class WordsExecutor(AgentExecutor):
    async def execute(self, context, event_queue):
        word, _, rest = context.get_user_input().partition(' ')
        if word == 'message':
            await event_queue.enqueue_event(new_text_message(f'direct {rest}', context_id=context.context_id))
            return
        answering = context.current_task is not None
        if not answering:
            await event_queue.enqueue_event(new_task_from_user_message(context.message))
        updater = TaskUpdater(event_queue, context.task_id, context.context_id)
        await updater.start_work()
        if answering:
            await self._reply(updater, f'merged into {context.get_user_input()}')
        else:
            await self._act(updater, word, rest)

    async def _act(self, updater, word, rest):
        if word == 'fail':
            await updater.failed(new_text_message(f'because {rest}'))
        elif word == 'ask':
            await updater.requires_input(new_text_message('Which branch?'))
        elif word == 'pieces':
            for nth, piece in enumerate(['one, ', 'two, ', 'three']):
                await updater.add_artifact(
                    [new_text_part(piece)], artifact_id='pieces', append=nth > 0, last_chunk=nth == 2
                )
                await asyncio.sleep(0.05)
            await updater.complete()
        elif word == 'slow':
            await asyncio.sleep(float(rest))
            await self._reply(updater, f'slept {rest} s')
        elif word == 'wait':
            await asyncio.sleep(3600)
        elif word == 'files':
            data = json_format.Parse('{"rows": [1, 2]}', struct_pb2.Value())
            await updater.add_artifact(
                [Part(raw=b'%PDF-', filename='report.pdf', media_type='application/pdf'), Part(data=data)],
                artifact_id='files',
            )
            await updater.complete()
        else:
            await self._reply(updater, f'{word} {rest}, said the agent')

    async def _reply(self, updater, text):
        await updater.add_artifact([new_text_part(text)], artifact_id='reply', last_chunk=True)
        await updater.complete()

    async def cancel(self, context, event_queue):
        await TaskUpdater(event_queue, context.task_id, context.context_id).cancel()


def agent_at(url, streaming):
    card = AgentCard(
        name='python-1.x',
        description='Acts by the first word of a message.',
        version='1.0.0',
        supported_interfaces=[AgentInterface(url=url, protocol_binding='JSONRPC', protocol_version='1.0')],
        capabilities=AgentCapabilities(streaming=streaming, push_notifications=True),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        skills=[AgentSkill(id='words', name='Words', description='Acts by a word.', tags=['test'])],
    )
    configs = InMemoryPushNotificationConfigStore()
    handler = DefaultRequestHandler(
        agent_executor=WordsExecutor(),
        task_store=InMemoryTaskStore(),
        agent_card=card,
        push_config_store=configs,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
    )
    return create_agent_card_routes(card) + create_jsonrpc_routes(handler, '/')


listening, origin = bind()
public = public_origin(origin)
routes = [
    Mount('/stream', routes=agent_at(f'{public}/stream/', True)),
    Mount('/poll', routes=agent_at(f'{public}/poll/', False)),
]
serve(listening, origin, Starlette(routes=routes))
