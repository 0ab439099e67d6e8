"""What a page glues is committed without the digits that differ from run to run."""

import nbformat

from compendium.press.notebooks import glued, round_glued


def test_fractions_have_nine_digits_and_other_values_stay():
    values = {"a": "0.12345678987654321", "b": "1.2345678987e-12", "c": "12345678912.0", "d": "67099546", "e": "'HOL'"}
    outputs = [
        nbformat.v4.new_output(
            "display_data", {"text/plain": value}, metadata={"scrapbook": {"name": name}}
        )
        for name, value in values.items()
    ]  # fmt: skip
    plain = nbformat.v4.new_output("execute_result", {"text/plain": "0.12345678987654321"}, execution_count=1)
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell("", outputs=[*outputs, plain])])
    round_glued(notebook)
    assert glued(notebook) == {"a": 0.12345679, "b": 1.2345679e-12, "c": 12345678912.0, "d": 67099546, "e": "'HOL'"}
    assert notebook.cells[0].outputs[-1].data["text/plain"] == "0.12345678987654321"
