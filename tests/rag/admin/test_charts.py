from rag.admin.dashboard.charts import HEIGHT, WIDTH, Axis, Series, lined, nice_steps, stacked


def plain(value: float) -> str:
    return f"{value:g}"


def series(*values: float | None, style: str = "a") -> Series:
    return Series(name="pytania", style=style, values=values)


def test_an_axis_has_round_steps_that_reach_the_top() -> None:
    assert nice_steps(7) == [0, 2, 4, 6, 8]
    assert nice_steps(4) == [0, 1, 2, 3, 4]
    assert nice_steps(83) == [0, 50, 100]
    assert [round(step, 2) for step in nice_steps(1.0)] == [0, 0.5, 1]
    assert nice_steps(2, whole=True) == [0, 1, 2]
    assert nice_steps(0.5, whole=True) == [0, 1]


def test_parts_of_a_bar_stand_upon_each_other_in_proportion() -> None:
    axis = Axis(buckets=["pon", "wt"], words=plain, whole=True)
    chart = stacked("k", "t", "d", [series(3, 0), series(1, None, style="b")], axis)
    full, empty = chart.bars
    assert [part.style for part in full.parts] == ["a", "b"]
    lower, upper = full.parts
    assert float(upper.y) + float(upper.height) == float(lower.y)
    assert float(lower.height) == 3 * float(upper.height)
    assert float(upper.y) == float(chart.ticks[-1][0])
    assert empty.parts == ()
    assert full.title == "pon: pytania 3, pytania 1"
    assert empty.title == "wt: 0"


def test_a_line_breaks_where_there_is_no_value_and_a_lone_value_is_a_dot() -> None:
    axis = Axis(buckets=list("abcdef"), words=plain)
    (line,) = lined("k", "t", "d", [series(1, 2, None, None, 1, None)], axis).lines
    assert [len(path.split()) for path in line.paths] == [2]
    assert [title for _, _, title in line.dots] == ["a: pytania 1", "b: pytania 2", "e: pytania 1"]


def test_nothing_at_all_is_an_empty_chart() -> None:
    axis = Axis(buckets=["pon"], words=plain)
    assert lined("k", "t", "d", [series(None)], axis).lines[0].dots == ()
    assert stacked("k", "t", "d", [series(0)], axis).ticks


def test_everything_is_inside_the_canvas_and_labels_end_with_the_last_bucket() -> None:
    buckets = [str(number) for number in range(366)]
    axis = Axis(buckets=buckets, words=plain)
    chart = stacked("k", "t", "d", [series(*range(366))], axis)
    assert float(chart.bars[0].x) >= 0
    assert float(chart.bars[-1].x) + float(chart.bars[-1].width) <= WIDTH
    assert all(0 <= float(y) <= HEIGHT for y, _ in chart.ticks)
    assert len(chart.labels) <= 7
    assert chart.labels[-1][1] == "365"


def test_coordinates_have_a_decimal_point_in_every_language() -> None:
    chart = lined("k", "t", "d", [series(1.5, 2.25)], Axis(buckets=["a", "b"], words=plain))
    x, y = chart.lines[0].paths[0].split()[0].split(",")
    assert float(x) > 0
    assert float(y) > 0
