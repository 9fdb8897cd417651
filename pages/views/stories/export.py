"""A lesson as one HTML file that asks and answers without a network; truths are computed when the file is made."""

from __future__ import annotations

import html
import json
import re
from typing import Any

from plotly.offline import get_plotlyjs

from kernlib.figures.stories import reveal_figure, scene_figures
from kernlib.figures.theme import PLOT_SCRIPT, json_block, plot_html
from kernlib.stories import Lesson, Question, Step
from pages.parts.inputs import surfaces
from pages.views.stories import story

_PAGE_STYLE = """
body { font: 18px sans-serif; color: #202020; background: white; }
body { margin: 1rem auto; max-width: 1000px; padding: 0 1rem; }
section { border-top: 1px solid #ccc; padding: 1rem 0 2rem; } .answer[hidden] { display: none; }
.do { font: inherit; padding: 0.5em 1em; margin-top: 1em; }
pre { white-space: pre-wrap; background: #f4f4f4; padding: 1em; }
label { display: block; padding: 0.3em 0; } output { font-weight: bold; }
"""

# How each kind of guess is drawn over the truth; the page's own answering surfaces are in SCRIPT.
_OFFLINE = """
const OVER = {
  draw: (gd, guess, data) => Plotly.addTraces(gd, {x: data.values, y: guess, name: 'your guess', connectgaps: true,
    line: {color: '#d55e00', dash: 'dash', width: 3}}),
  number: (gd, guess) => Plotly.addTraces(gd, {x: [guess, guess], y: [0.3, -0.3], mode: 'lines+markers+text',
    text: ['', 'your guess: ' + guess], textposition: 'top center', line: {color: '#d55e00', width: 3},
    showlegend: false}),
  point: (gd, guess, data) => Plotly.addTraces(gd, {x: guess.map(i => data.x[i]), y: guess.map(i => data.y[i]),
    mode: 'markers', name: 'your rows', marker: {color: '#d55e00', symbol: 'x', size: 12}}),
};
const WORDS = {
  choose: (guess, data) => `You chose: ${data.options[guess]}.`,
  order: (guess, data) => `Your order: ${guess.map(i => data.items[i]).join('; ')}.`,
};
function ask(section, data) {
  let guess = null;
  const root = section.querySelector('.kernlib-surface'), answer = section.nextElementSibling;
  const keep = value => { guess = value; };
  if (data.kind === 'choose') data.options.forEach((option, i) => {
    const label = make('html:label', {}, root), input = make('html:input', {type: 'radio', name: data.question}, label);
    label.append(' ' + option);
    input.onchange = () => keep(i);
  });
  else if (data.kind === 'number') {
    const input = make('html:input', {type: 'range', min: data.low, max: data.high, step: data.step,
      'aria-label': data.label, style: 'width: 80%'}, root);
    input.value = (data.low + data.high) / 2;
    const shown = make('html:output', {}, root, 'no answer yet');
    input.oninput = () => { shown.textContent = input.value; keep(Number(input.value)); };
  } else SURFACES[data.kind](root, data, keep);
  section.querySelector('.do').onclick = () => {
    answer.hidden = false;
    const gd = answer.querySelector('.js-plotly-plot, .plot'), words = answer.querySelector('.yours');
    Plotly.Plots.resize(gd);
    if (guess !== null && OVER[data.kind]) OVER[data.kind](gd, guess, data);
    if (guess !== null && WORDS[data.kind]) words.textContent = WORDS[data.kind](guess, data);
    answer.scrollIntoView({behavior: 'smooth'});
  };
}
for (const node of document.querySelectorAll('.question')) ask(node.closest('section'), JSON.parse(node.textContent));
"""


def lesson_page(lesson: Lesson) -> str:
    """Return the lesson as a complete HTML page with Plotly and the answering surfaces inside, about 5 MB."""
    sections, question, view = [], None, None
    for number, step in enumerate(lesson.steps):
        if step.kind == "predict":
            question, view = step.question, step.view
        assert step.kind != "reveal" or (question is not None and view is not None)
        body = _answer(question, view) if step.kind == "reveal" else _shown(step, number)
        hidden = ' class="answer" hidden' if step.kind == "reveal" else ""
        sections.append(f"<section{hidden}><h2>{html.escape(step.title)}</h2>{_paragraphs(step.text)}{body}</section>")
    script = re.sub(r"export default function.*\Z", "", story.SCRIPT, flags=re.DOTALL).replace(
        "export function", "function"
    )
    title = html.escape(lesson.title)
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>{title}</title>'
        f'<meta name="viewport" content="width=device-width"><style>{_PAGE_STYLE}{surfaces.STYLE}</style>'
        f"<script>{get_plotlyjs()}</script></head><body><h1>{title}</h1>{_paragraphs(lesson.question)}"
        f"{''.join(sections)}<p>Source: {html.escape(lesson.source)}</p>"
        f"<script>{script}{PLOT_SCRIPT}{_OFFLINE}</script></body></html>"
    )


def _shown(step: Step, number: int) -> str:
    figure = "".join(
        plot_html(fig, 1.2) for fig in scene_figures(story.scene_of(step.view), step.view.figure, step.question)
    )
    if step.kind == "explain":
        return f"{figure}<pre>{html.escape(step.formula)}</pre><p>Source: {html.escape(step.source)}</p>"
    if step.question is None:
        return figure
    question = step.question
    data, _ = story.surface_data(question, step.view)
    data |= {"question": f"q{number}", "low": question.low, "high": question.high, "step": question.step or "any"}
    data |= {"options": list(question.options), "values": list(question.values)}
    over = "" if question.in_picture else figure
    return (
        f'<p><strong>{html.escape(question.text)}</strong></p>{over}<div class="kernlib-surface"></div>'
        f'<button type="button" class="do">Show the answer</button>{json_block(json.dumps(data), "question")}'
    )


def _answer(question: Question | None, view: Any) -> str:
    assert question is not None
    answer = story.truth_of(question, view)
    words = html.escape(question.compare(answer))
    return f'{plot_html(reveal_figure(question, answer), 1.2)}<p class="yours"></p><p><strong>{words}</strong></p>'


def _paragraphs(text: str) -> str:
    parts = [html.escape(part) for part in re.split(r"\n\s*\n", text) if part.strip()]
    return "".join("<p>" + re.sub(r"\*\*(.+?)\*\*", r"<strong>\1</strong>", part) + "</p>" for part in parts)
