"""Tests of the corpus are skipped in a clone without it, and never in continuous integration."""

from pathlib import Path

import pytest

from tests.corpus import corpus


def test_without_a_corpus_a_clone_skips(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("CI", raising=False)
    with pytest.raises(pytest.skip.Exception, match="shared/corpus"):
        corpus("gravon", folder=tmp_path / "nowhere")


def test_without_a_corpus_continuous_integration_fails(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("CI", "true")
    with pytest.raises(pytest.fail.Exception, match="shared/corpus"):
        corpus("gravon", folder=tmp_path / "nowhere")


def test_with_a_corpus_its_files_are_found(tmp_path: Path) -> None:
    assert corpus("gravon", folder=tmp_path) == tmp_path / "gravon"
