"""What a stored row may name: a closed list, whose names are not places of code."""

import dataclasses
import importlib
import inspect
import pkgutil

import pytest

import clustershare
from clustershare import names


@pytest.mark.parametrize("name", names.SIMULATORS)
def test_a_simulator_takes_a_run_length_and_is_known_by_its_name(name):
    simulator = names.simulator(name)
    assert names.name_of(simulator) == name
    assert "run" in inspect.signature(simulator).parameters
    assert f"{simulator.__module__}:" not in name


@pytest.mark.parametrize("name", names.CLASSES)
def test_a_class_is_frozen_and_known_by_its_name(name):
    made = names.value_class(name)
    assert names.name_of(made) == name
    assert dataclasses.is_dataclass(made) and made.__dataclass_params__.frozen


def test_every_public_simulator_and_size_distribution_is_in_the_list():
    public = set()
    for module in pkgutil.iter_modules(clustershare.__path__):
        found = vars(importlib.import_module(f"clustershare.{module.name}"))
        public |= {f"{module.name}.{name}" for name in found.get("__all__", []) if name.startswith("simulate")}
    assert public == set(names.SIMULATORS)
    from clustershare import sizes

    laws = {law.__name__ for law in vars(sizes).values() if inspect.isclass(law) and issubclass(law, sizes.JobSize)}
    laws = {law for law in laws if law != "JobSize" and not law.startswith("_")}
    assert laws == {name.partition(".")[2] for name in names.CLASSES if name.startswith("sizes.")}


@pytest.mark.parametrize(
    "name", ["os:system", "clustershare.sizes:Exponential", "sizes.exec", "compendium.__main__:main"]
)
def test_nothing_else_can_be_named(name):
    with pytest.raises(ValueError, match=f"class must be one of .*; got '{name}'"):
        names.value_class(name)
    with pytest.raises(ValueError, match=f"simulator must be one of .*; got '{name}'"):
        names.simulator(name)
