"""An agent of google-adk on a scripted model, as `to_a2a` serves it: once with streams below /stream/, once without below /poll/."""

import asyncio
import warnings

from contextlib import AsyncExitStack, asynccontextmanager
from urllib.parse import urlsplit

from a2a.types import AgentCapabilities, AgentCard, AgentInterface, AgentSkill
from google.adk.a2a.utils.agent_to_a2a import to_a2a
from google.adk.agents import LlmAgent
from google.adk.models import BaseLlm, LlmResponse
from google.adk.tools import LongRunningFunctionTool
from google.genai import types
from starlette.applications import Starlette
from starlette.routing import Mount

from serve import bind, public_origin, serve

# ADK says of each of its A2A parts that it is experimental.
warnings.simplefilter('ignore')


class WordsModel(BaseLlm):
    """Acts by the first word of the newest text of the user."""

    async def generate_content_async(self, llm_request, stream=False):
        text = newest_text(llm_request.contents)
        word, _, rest = text.partition(' ')
        if self._asked_before(llm_request.contents):
            yield model_says(types.Part(text=f'merged into {text}'))
        elif word == 'fail':
            raise RuntimeError(f'because {rest}')
        elif word == 'ask':
            call = types.FunctionCall(id='1', name='ask', args={})
            yield model_says(types.Part(text='Which branch?'), types.Part(function_call=call))
        elif word == 'pieces':
            yield model_says(*[types.Part(text=piece) for piece in ('one, ', 'two, ', 'three')])
        elif word == 'slow':
            await asyncio.sleep(float(rest))
            yield model_says(types.Part(text=f'slept {rest} s'))
        elif word == 'wait':
            await asyncio.sleep(3600)
        elif word == 'files':
            file = types.Blob(data=b'%PDF-', mime_type='application/pdf', display_name='report.pdf')
            yield model_says(types.Part(inline_data=file))
        else:
            yield model_says(types.Part(text=f'{text}, said the agent'))

    def _asked_before(self, contents):
        return any(part.function_call for content in contents for part in content.parts)


def newest_text(contents):
    texts = [part.text for content in contents if content.role == 'user' for part in content.parts if part.text]
    return texts[-1]


def model_says(*parts):
    return LlmResponse(content=types.Content(role='model', parts=list(parts)))


def ask():
    """Waits for the person; a tool that answers later gives nothing now."""


def agent_at(url, streaming):
    card = AgentCard(
        name='python-adk',
        description='Acts by the first word of a message.',
        version='1.0.0',
        supported_interfaces=[AgentInterface(url=url, protocol_binding='JSONRPC', protocol_version='1.0')],
        capabilities=AgentCapabilities(streaming=streaming),
        default_input_modes=['text/plain'],
        default_output_modes=['text/plain'],
        skills=[AgentSkill(id='words', name='Words', description='Acts by a word.', tags=['test'])],
    )
    agent = LlmAgent(name='words', model=WordsModel(model='words'), tools=[LongRunningFunctionTool(func=ask)])
    return to_a2a(agent, port=urlsplit(url).port, agent_card=card)


listening, origin = bind()
public = public_origin(origin)
apps = {'/stream': agent_at(f'{public}/stream/', True), '/poll': agent_at(f'{public}/poll/', False)}


@asynccontextmanager
async def lifespan(_):
    """Each agent adds its routes as it starts, and Starlette starts no mounted application by itself."""
    async with AsyncExitStack() as started:
        for app in apps.values():
            await started.enter_async_context(app.router.lifespan_context(app))
        yield


serve(listening, origin, Starlette(routes=[Mount(path, app=app) for path, app in apps.items()], lifespan=lifespan))
