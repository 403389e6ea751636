"""Hydra's override grammar as our search space. Run by pytest."""

import vernier_hpo as vn
from hydra.core.override_parser.overrides_parser import OverridesParser
from hydra.errors import HydraException
from hydra_plugins.hydra_vernier._space import split
from pytest import mark, raises


def parsed(*texts):
    return split(OverridesParser.create().parse_overrides(list(texts)))


@mark.parametrize("text, parameter", [
    ("a=interval(0,1)", vn.Float(0, 1)),
    ("a=int(interval(1,10))", vn.Int(1, 10)),
    ("a=tag(log,interval(1e-5,1))", vn.Float(1e-5, 1, log=True)),
    ("a=tag(log,int(interval(1,100)))", vn.Int(1, 100, log=True)),
    ("a=range(1,5)", vn.Int(1, 4)),  # The stop is excluded.
    ("a=range(4)", vn.Int(0, 3)),
    ("a=range(0,10,3)", vn.Discrete([0, 3, 6, 9])),
    ("a=range(0,1,0.25)", vn.Discrete([0.0, 0.25, 0.5, 0.75])),
    ("a=range(0,0.3,0.1)", vn.Discrete([0.0, 0.1, 0.2])),
    ("a=range(5,1,-2)", vn.Discrete([3, 5])),
    ("a=shuffle(range(0,10,3))", vn.Discrete([0, 3, 6, 9])),
    ("a=tag(log,range(1,9))", vn.Int(1, 8, log=True)),
    ("a=64,16,32", vn.Discrete([16, 32, 64])),
    ("a=tag(log,choice(1,10,100))", vn.Discrete([1, 10, 100], log=True)),
    ("a=choice(16,32)", vn.Categorical(["16", "32"])),
    ("a=sgd,adam", vn.Categorical(["sgd", "adam"])),
    ("a=true,false,null", vn.Categorical(["True", "False", "null"])),
    ("a=[1,2],[3]", vn.Categorical(["[1,2]", "[3]"])),
])
def test_a_sweep_is_a_parameter(text, parameter):
    fixed, swept = parsed(text)
    assert not fixed
    assert swept["a"].parameter == parameter


@mark.parametrize("text, value, override, plain", [
    ("+a=interval(0,1)", 0.25, "+a=0.25", 0.25),
    ("a=16,32", 16.0, "a=16", 16),
    ("a=range(0,1,0.5)", 0.5, "a=0.5", 0.5),
    ("a=true,false", "True", "a=True", True),
    ("a='x y','z,1'", "'z,1'", "a='z,1'", "z,1"),
    ("a=b\\,c,d", "b\\,c", "a=b\\,c", "b,c"),
    ("db@pkg=mysql,pg", "pg", "db@pkg=pg", "pg"),
])
def test_a_value_is_an_override(text, value, override, plain):
    (swept,) = parsed(text)[1].values()
    assert swept.override(value) == override
    assert swept.plain(value) == plain
    assert type(swept.plain(value)) is type(plain)
    # Hydra reads it as that one value again.
    (read,) = OverridesParser.create().parse_overrides([override])
    assert not read.is_sweep_override() and read.value() == plain


def test_what_is_not_swept_is_every_jobs():
    fixed, swept = parsed("a=1", "+b.c='x y'", "~d", "e=choice(5)", "f=1,2")
    assert fixed == ["a=1", "+b.c='x y'", "~d", "e=5"]
    assert list(swept) == ["f"]


def test_the_later_of_two_counts():
    fixed, swept = parsed("a=1,2", "b=3", "a=7", "b=interval(0,1)")
    assert fixed == ["a=7"] and list(swept) == ["b"]


@mark.parametrize("text, said", [
    ("a=tag(log,interval(0,1))", "above 0"),
    ("a=tag(log,choice(x,y))", "only numbers"),
    ("a=tag(log,range(0,3))", "above 0"),
])
def test_what_cannot_be_searched_is_said(text, said):
    with raises(HydraException, match=said):
        parsed(text)
