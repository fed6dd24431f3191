"""For tests of models, judges and whatever uses them: a real server on loopback that speaks four providers' protocols.

    from playproof_judges.testing import Fail, Server, Turn

    with Server([Fail(529), Turn("a cat"), Turn(calls=[("look", {"at": 1})])]) as server:
        model = build("model", server.ref("anthropic"), services)     # any of DRIVERS; options may be added
        reply = model.ask(Request([user("what is it?")]))             # the 529 is tried again, then "a cat"
        server.asked[0].text, server.asked[0].pictures                # what arrived, in the same words for every protocol

One step of the script answers one request, whichever protocol it speaks. For judges that ask side by side, give a function in
the place of the script: `Server(lambda asked: Turn(data={"verdict": "cat" in asked.text}))`.
"""

from playproof_judges.testing.server import Server
from playproof_judges.testing.steps import Asked, Fail, Turn, Used

DRIVERS = ("anthropic", "openai", "openai-responses", "gemini")

__all__ = ["DRIVERS", "Asked", "Fail", "Server", "Turn", "Used"]
