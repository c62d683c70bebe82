"""An agent of a2a-sdk 1.x that acts by the first word of a message, once with streams below /stream/, once without below /poll/."""

import httpx

from a2a.helpers import new_task_from_user_message, new_text_message, new_text_part
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.routes import create_agent_card_routes, create_jsonrpc_routes
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
)
from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill, Part
from google.protobuf import json_format, struct_pb2

from serve import serve_both_ways
from words import WordsExecutor


class Executor(WordsExecutor):
    message = staticmethod(new_text_message)
    new_task = staticmethod(new_task_from_user_message)
    text_part = staticmethod(new_text_part)

    def file_parts(self):
        data = json_format.Parse('{"rows": [1, 2]}', struct_pb2.Value())
        return [Part(raw=b'%PDF-', filename='report.pdf', media_type='application/pdf'), Part(data=data)]


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
        agent_executor=Executor(),
        task_store=InMemoryTaskStore(),
        agent_card=card,
        push_config_store=configs,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
    )
    return create_agent_card_routes(card) + create_jsonrpc_routes(handler, '/')


serve_both_ways(agent_at)
