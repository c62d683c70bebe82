"""An agent of a2a-sdk 0.3.x that acts by the first word of a message, once with streams below /stream/, once without below /poll/."""

import httpx

from a2a.server.apps import A2AStarletteApplication
from a2a.server.request_handlers import DefaultRequestHandler
from a2a.server.tasks import (
    BasePushNotificationSender,
    InMemoryPushNotificationConfigStore,
    InMemoryTaskStore,
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

from serve import serve_both_ways
from words import WordsExecutor


class Executor(WordsExecutor):
    asking = {'final': True}
    message = staticmethod(new_agent_text_message)
    new_task = staticmethod(new_task)

    def text_part(self, text):
        return Part(root=TextPart(text=text))

    def file_parts(self):
        report = FileWithBytes(bytes='JVBERi0=', name='report.pdf', mime_type='application/pdf')
        return [Part(root=FilePart(file=report)), Part(root=DataPart(data={'rows': [1, 2]}))]


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
        agent_executor=Executor(),
        task_store=InMemoryTaskStore(),
        push_config_store=configs,
        push_sender=BasePushNotificationSender(httpx.AsyncClient(), configs),
    )
    return A2AStarletteApplication(card, handler).routes()


serve_both_ways(agent_at)
