use tanglewood::classes::Class;
use tanglewood::coverage::Survey;
use tanglewood::{Direction, Oracle, System};

use crate::brute_force::all_trees;

#[test]
fn a_survey_counts_what_oracles_and_classes_say_of_nonprojective_trees() {
    let systems = System::all();
    let survey = Survey::new(&systems, Direction::Either, &Class::ALL);
    let (mut whole, mut first, mut second) = (survey.counts(), survey.counts(), survey.counts());
    let trees = all_trees(5);
    for (at, tree) in trees.iter().enumerate() {
        survey.add(tree, &mut whole);
        survey.add(tree, if at % 3 == 0 { &mut first } else { &mut second });
    }
    first.merge(&second);
    assert_eq!(first, whole);
    let crossing: Vec<_> = trees.iter().filter(|tree| !Class::Projective.contains(tree)).collect();
    assert_eq!((whole.sentences, whole.nonprojective), (1296, crossing.len() as u64));
    for (system, &covered) in systems.iter().zip(&whole.covered) {
        let oracle = Oracle::new(system);
        let expected = crossing.iter().filter(|tree| oracle.covers_in(Direction::Either, tree)).count();
        assert_eq!(covered, expected as u64, "{system}");
    }
    for (class, &members) in Class::ALL.iter().zip(&whole.members) {
        assert_eq!(members, crossing.iter().filter(|tree| class.contains(tree)).count() as u64, "{class:?}");
    }
}
