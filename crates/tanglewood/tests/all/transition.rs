use tanglewood::system::{Address, Inventory};
use tanglewood::{Configuration, Derivation, Oracle, System, Transition, Tree};

fn derivation(text: &str) -> Derivation {
    text.parse().unwrap()
}

#[test]
fn illegal_steps_are_named() {
    let expected = [
        ("s0>s1", "step 1: reduce with s0, but there is no node there"),
        ("shift s1>s0", "step 2: reduce with s1, but there is no node there"),
        ("shift b0>s0", "step 2: reduce with b0, but there is no node there"),
        ("shift shift s0>s1", "step 3: reduce s1, but that is the root, which has no head"),
        ("shift shift s0>s0", "step 3: reduce s0 by itself"),
        (
            "shift shift",
            "the derivation stops after 2 steps with 2 nodes on the stack and 0 in the buffer; expected the root alone and an empty buffer",
        ),
    ];
    for (text, message) in expected {
        assert_eq!(derivation(text).tree().unwrap_err().to_string(), message, "{text}");
    }
    let too_many = Derivation::new(0, vec![Transition::Shift; 2]);
    assert_eq!(too_many.tree().unwrap_err().to_string(), "step 2: shift, but the buffer is empty");
}

#[test]
fn a_reduce_outside_the_inventory_is_refused() {
    let inventory: Inventory = "s0>s1 s1>s0".parse().unwrap();
    let run = derivation("shift shift shift s2>s0 s1>s0");
    assert!(run.tree().is_ok());
    assert_eq!(run.tree_in(&inventory).unwrap_err().to_string(), "step 4: s2>s0 is not in the inventory");
}

#[test]
fn what_is_not_a_transition_is_refused() {
    for text in
        ["Shift", "s0>", "s0>b1", "s-1>s0", "s0>s+1", "b>s0", "ahead>s0", "s99999999999999999999>s0", ">"]
    {
        assert!(text.parse::<Derivation>().is_err(), "{text}");
    }
}

#[test]
fn an_address_far_beyond_the_end_is_no_node() {
    let configuration = Configuration::start(3);
    for address in [Address::Buffer(usize::MAX), Address::Stack(usize::MAX - 1), Address::Buffer(4)] {
        assert_eq!(configuration.node_at(address), None);
    }
    assert_eq!(configuration.node_at(Address::Buffer(3)), Some(3));
}

#[test]
fn every_permitted_transition_can_be_made() {
    let inventory: Inventory = "s1>s0 s0>s1 ahead>s0 b1>s1".parse().unwrap();
    let mut configuration = Configuration::start(4);
    for _ in 0..3 {
        configuration.apply(Transition::Shift).unwrap();
    }
    let permitted = configuration.permitted(&inventory);
    let names: Vec<String> = permitted.iter().map(ToString::to_string).collect();
    assert_eq!(names, ["shift", "s1>s0", "b0>s0", "b1>s0", "s0>s1", "b1>s1"]);
    for transition in permitted {
        assert!(configuration.clone().apply(transition).is_ok());
    }
}

#[test]
fn each_step_visits_what_steps_collects() {
    let tree = Tree::from_heads(&[3, 4, 0, 3]).unwrap();
    let derivation = Oracle::new(&System::named("attardi").unwrap()).derivation(&tree).unwrap();
    let mut steps = derivation.steps().unwrap().into_iter();
    let visited = derivation.each_step(|transition, arc, after| {
        let step = steps.next().unwrap();
        assert_eq!((step.transition, step.arc, &step.after), (transition, arc, after));
    });
    assert!(visited.is_ok() && steps.next().is_none());
}
