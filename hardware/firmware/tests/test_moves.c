/* Test that no sensor fault is reported while pieces are moved by hand.
 *
 * Hands move as in tests/hardware/hovering.py, and the field is the exact field of the disc
 * (hardware/magnetics/disc.py). Every other hand holds its piece above the target for three
 * seconds, and during every third move the supply of all sensors dips. The environment variable
 * MOVES sets the number of moves. A tenth as many pieces are brought from beside the board, as when
 * a game is set up. */
#include <math.h>
#include <string.h>

#include "calibration.h"
#include "detection.h"
#include "drift_tracking.h"
#include "expect.h"
#include "faults.h"
#include "geometry.h"
#include "readings.h"

#define USUAL_MOVES 40
#define MOVES_PER_BOARD 20
#define ARMY 40
#define BETWEEN_THE_ARMIES 45 /* a square that stays empty while the armies are set up */
/* Chosen by judgement, not measured, as in hovering.py. */
#define TREMBLE_MM 1.0
#define HELD_MS 3000
#define WATCHED_MS 1200
#define SEEN_WITHIN_MS 300
#define LATEST_MS 3000 /* after the end of a dip */
#define PLACED_MM 1.5   /* standard deviation of the position along each axis */
#define STRENGTH 0.05   /* standard deviation of the magnets' strength */
#define OFFSET 15       /* largest deviation of a resting level, in counts */
#define SENSITIVITY 0.05
/* Dips in the sensors' supply, as a fraction of 5 V. A sensor stops working below 3 V. */
#define LEAST_DIP 0.03
#define MOST_DIP 0.4
#define LONGEST_DIP_MS 1500
#define LONGEST_RAMP_MS 200

/* Board from the build instructions. */
#define PITCH_MM 40.0
#define GAP_MM 9.5
#define RADIUS_MM 4.0
#define HEIGHT_MM 2.0
#define PIECE_COUNTS 300

/* Times of the passes in a frame, in milliseconds (timer.c). The last pass belongs to the next
 * frame, because it is made right after STATE is sent. */
static const double pass_ms[] = {4, 7.5, 11, 14.7, 16.8, 20.3};

struct magnet {
    double x, y, height, strength; /* position on the board in millimetres; strength 0 means no
                                    * magnet */
};

static struct magnet standing[SQUARES], held;
static struct {
    double begins_ms, ends_ms, ramp_ms, depth;
} dip;
static double moved; /* strength of the last moved piece */
static double offset[SQUARES], sensitivity[SQUARES], field_of_standing[SQUARES];
static struct calibration calibration;
static struct detection detection;
static struct faults faults;
static struct drift_tracking tracking;
static double now_ms, frame_start_ms;
static unsigned next_pass, reports, reports_of_pieces, wrong_colours, late_after_dips;
static bool is_late;
static double shown_ms; /* time from which all frames show the move, or -1 */
static uint8_t origin, target;
static uint64_t state;

static double uniform(double low, double high)
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return low + (high - low) * (double)(state >> 11) / 9007199254740992.0;
}

static double normal(void)
{
    return sqrt(-2 * log(uniform(1e-12, 1))) * cos(2 * M_PI * uniform(0, 1));
}

/* Bulirsch's integral. */
static double elliptic(double k, double p, double c, double s)
{
    double root = sqrt(p), cosines, sines = s / root, mean = 1, sum = 1 + k, product = k;
    cosines = c + sines / root;
    sines = 2 * (sines + c * k / root);
    root += k / root;
    while (fabs(mean - k) > mean * 1e-7) {
        k = 2 * sqrt(product);
        product = k * sum;
        double share = product / root, before = cosines;
        cosines += sines / root;
        sines = 2 * (sines + before * share);
        root += share;
        mean = sum;
        sum += k;
    }
    return M_PI / 2 * (sines + cosines * sum) / (sum * (sum + root));
}

/* Return the vertical field of the disc in arbitrary units. */
static double field(double aside, double below)
{
    double gamma = (RADIUS_MM - aside) / (RADIUS_MM + aside), along = 0;
    if (gamma == 0)
        gamma = 1e-9;
    for (int face = 0; face < 2; face++) {
        double z = below + (face ? 0 : HEIGHT_MM), reach = hypot(z, RADIUS_MM + aside);
        double k = hypot(z, RADIUS_MM - aside) / reach;
        along += (face ? -1 : 1) * z / reach * elliptic(k, gamma * gamma, 1, gamma);
    }
    return RADIUS_MM / (RADIUS_MM + aside) * along;
}

static double share(const struct magnet *magnet, uint8_t square)
{
    static double own;
    if (own == 0)
        own = field(0, GAP_MM);
    double x = magnet->x - PITCH_MM * (square % WIDTH), y = magnet->y - PITCH_MM * (square / WIDTH);
    return magnet->strength * field(hypot(x, y), GAP_MM + magnet->height) / own;
}

static bool is_near(const struct magnet *magnet, uint8_t square)
{
    return fabs(magnet->x - PITCH_MM * (square % WIDTH)) < 3.5 * PITCH_MM &&
           fabs(magnet->y - PITCH_MM * (square / WIDTH)) < 3.5 * PITCH_MM;
}

static void update_field(uint8_t square)
{
    field_of_standing[square] = 0;
    for (uint8_t each = 0; each < SQUARES; each++) {
        if (standing[each].strength != 0 && is_near(standing + each, square))
            field_of_standing[square] += share(standing + each, square);
    }
}

static void put(uint8_t square, const struct magnet *magnet)
{
    struct magnet before = standing[square];
    standing[square] = *magnet;
    for (uint8_t each = 0; each < SQUARES; each++) {
        if (is_near(before.strength != 0 ? &before : magnet, each))
            update_field(each);
    }
}

/* Return the sensors' supply as a fraction of the converter's reference. */
static double supply(void)
{
    double ramp = fmin(now_ms - dip.begins_ms, dip.ends_ms - now_ms) / dip.ramp_ms;
    return 1 - dip.depth * fmax(0, fmin(1, ramp));
}

static void begin_dip(void)
{
    dip.begins_ms = now_ms + uniform(0, 1500);
    dip.ends_ms = dip.begins_ms + uniform(20, LONGEST_DIP_MS);
    dip.ramp_ms = exp(uniform(0, log(LONGEST_RAMP_MS)));
    dip.depth = uniform(LEAST_DIP, MOST_DIP);
}

static void read_sensors(void)
{
    double supplied = supply();
    for (uint8_t square = 0; square < SQUARES; square++) {
        double all = field_of_standing[square];
        if (held.strength != 0 && is_near(&held, square))
            all += share(&held, square);
        double counts = RESTING_COLOURS + offset[square] + PIECE_COUNTS * sensitivity[square] * all;
        counts = round(supplied * counts + normal());
        readings[square] = (uint16_t)(counts < 0 ? 0 : counts > FULL_SCALE ? FULL_SCALE : counts);
    }
}

/* Count the squares that show a colour other than that of their piece or the moved piece. */
static void count_wrong_colours(void)
{
    for (uint8_t square = 0; square < SQUARES; square++) {
        enum sensor_state state = detection_state(&detection, square);
        double sign = state == NO_PIECE ? 0 : state == HIGH ? 1 : -1;
        wrong_colours += sign * standing[square].strength <= 0 && sign * moved < 0;
    }
}

static void end_frame(void)
{
    enum fault_code code;
    uint8_t square;
    detection_end_frame(&detection, &calibration, readings);
    faults_update(&faults, &detection, &calibration, readings);
    while (faults_next(&faults, &detection, &code, &square))
        reports += code != DRIFT;
    if (detection.sag == 0) /* as in main.c */
        drift_track(&tracking, &calibration, &detection, readings);
    count_wrong_colours();
    bool is_shown = detection_state(&detection, origin) == NO_PIECE &&
                    detection_state(&detection, target) != NO_PIECE &&
                    !squares_has(detection.faint, target);
    shown_ms = !is_shown ? -1 : shown_ms < 0 ? now_ms : shown_ms;
}

/* Run every pass that is due before the given time. */
static void run_until(double ms)
{
    while (frame_start_ms + pass_ms[next_pass] <= ms) {
        now_ms = frame_start_ms + pass_ms[next_pass];
        read_sensors();
        detection_add_pass(&detection, &calibration, readings, (uint16_t)(16 * now_ms),
                           detection.backwards);
        if (++next_pass == ROWS(pass_ms)) {
            end_frame();
            next_pass = 0;
            frame_start_ms += STATE_INTERVAL_MS;
        }
    }
    now_ms = ms;
}

/* Deviation of a hand from its path along one axis. The hand sways slowly and also trembles. */
static struct wave {
    double share, hertz, phase;
} waves[3][3];

static void choose_waves(void)
{
    static const double shares[] = {0.5, 0.3, 0.2}, hertz[] = {0.3, 1.5, 4, 12};
    for (int axis = 0; axis < 3; axis++) {
        for (int n = 0; n < 3; n++) {
            double low = n == 2 ? 6 : hertz[n], high = hertz[n + 1];
            waves[axis][n] = (struct wave){shares[n], uniform(low, high), uniform(0, 2 * M_PI)};
        }
    }
}

static double tremble(int axis, double ms)
{
    double sum = 0;
    for (int n = 0; n < 3; n++)
        sum += waves[axis][n].share * sin(2 * M_PI * waves[axis][n].hertz * ms / 1000 + waves[axis][n].phase);
    return TREMBLE_MM * sum;
}

/* Return the fraction of a path that is covered with a smooth start and stop (minimum jerk). */
static double eased(double part)
{
    return part * part * part * (10 - 15 * part + 6 * part * part);
}

static void carry(const struct magnet *piece, bool hovers)
{
    double high = uniform(20, 45), low = hovers ? uniform(3, 12) : 0;
    double to_x = PITCH_MM * (target % WIDTH), to_y = PITCH_MM * (target / WIDTH);
    const struct {
        double ms, part, height;
    } legs[] = {
        {uniform(100, 400), 0, high},
        {uniform(150, 700), 1, high},
        {hovers ? uniform(200, 900) : uniform(100, 450), 1, low},
        {HELD_MS + 200 * normal(), 1, low},
        {uniform(60, 500), 1, 0},
    };
    double begun = now_ms, part = 0, height = 0;
    choose_waves();
    for (int leg = 0; leg < (hovers ? 5 : 3); leg++) {
        double start = now_ms;
        while (now_ms < start + legs[leg].ms) {
            double done = eased(fmin((now_ms + 2 - start) / legs[leg].ms, 1));
            double way = part + (legs[leg].part - part) * done;
            double above = height + (legs[leg].height - height) * done, free = fmin(above, 1);
            held = *piece;
            held.x += (to_x - piece->x) * way + free * tremble(0, now_ms - begun);
            held.y += (to_y - piece->y) * way + free * tremble(1, now_ms - begun);
            held.height = fmax(above + free * tremble(2, now_ms - begun), 0);
            run_until(now_ms + 2);
        }
        part = legs[leg].part;
        height = legs[leg].height;
    }
    held = (struct magnet){.strength = 0};
}

static uint8_t random_square(bool is_occupied)
{
    uint8_t square;
    do
        square = (uint8_t)uniform(0, SQUARES);
    while ((standing[square].strength != 0) != is_occupied);
    return square;
}

/* Carry a piece to the target, release it and wait. */
static void bring(struct magnet piece, bool hovers)
{
    shown_ms = -1;
    moved = piece.strength;
    carry(&piece, hovers);
    piece.x = PITCH_MM * (target % WIDTH) + PLACED_MM * normal();
    piece.y = PITCH_MM * (target / WIDTH) + PLACED_MM * normal();
    put(target, &piece);
    double visible = fmax(now_ms, dip.ends_ms);
    run_until(visible + WATCHED_MS);
    is_late = shown_ms < 0 || shown_ms > visible + SEEN_WITHIN_MS;
    while (shown_ms < 0 && now_ms < visible + LATEST_MS)
        run_until(now_ms + STATE_INTERVAL_MS);
}

static void move(bool hovers)
{
    origin = random_square(true);
    target = random_square(false);
    struct magnet piece = standing[origin], none = {.strength = 0};
    put(origin, &none);
    bring(piece, hovers);
}

static double random_strength(bool is_red)
{
    return (is_red ? 1 : -1) * (1 + STRENGTH * normal());
}

/* Bring a piece from behind its player's edge, or from the left or right, to one of the player's
 * squares. */
static void bring_from_beside(bool is_red, bool hovers)
{
    double last = PITCH_MM * (WIDTH - 1), away = uniform(PITCH_MM, 150);
    double side = is_red ? -away : last + away, row = uniform(0, 3 * PITCH_MM);
    unsigned from = (unsigned)uniform(0, 3);
    origin = BETWEEN_THE_ARMIES;
    do
        target = (uint8_t)uniform(0, ARMY) + (is_red ? 0 : SQUARES - ARMY);
    while (standing[target].strength != 0);
    struct magnet piece = {.strength = random_strength(is_red)};
    piece.x = from == 0 ? uniform(0, last) : from == 1 ? -away : last + away;
    piece.y = from == 0 ? side : is_red ? row : last - row;
    bring(piece, hovers);
}

static void set_up(uint8_t pieces)
{
    detection_start(&detection);
    faults_start(&faults);
    memset(&tracking, 0, sizeof tracking);
    for (uint8_t square = 0; square < SQUARES; square++) {
        offset[square] = uniform(-OFFSET, OFFSET);
        sensitivity[square] = 1 + uniform(-SENSITIVITY, SENSITIVITY);
        standing[square] = (struct magnet){.strength = 0};
        uint8_t threshold = (uint8_t)(ON_PER_CENT_COLOURS * PIECE_COUNTS * sensitivity[square] / 100);
        calibration.sensors[square] = (struct sensor){(int8_t)round(offset[square]), threshold};
    }
    while (pieces-- > 0) {
        uint8_t square = random_square(false);
        standing[square] = (struct magnet){PITCH_MM * (square % WIDTH) + PLACED_MM * normal(),
                                           PITCH_MM * (square / WIDTH) + PLACED_MM * normal(), 0,
                                           random_strength(pieces % 2)};
    }
    for (uint8_t square = 0; square < SQUARES; square++)
        update_field(square);
    origin = target = 0;
    run_until(now_ms + 1000);
}

/* The moves would prove nothing if this board never reported a fault. */
static void test_a_sensor_that_fails_is_reported(void)
{
    uint8_t square = random_square(false);
    for (int n = 0; n < 100; n++) {
        offset[square] += 5;
        run_until(now_ms + STATE_INTERVAL_MS);
    }
    EXPECT(reports > 0, "square %d", square);
}

/* A hand that moves evenly by chance may be mistaken for a dying sensor (slow_change.h), but only
 * for a moment: the report is not repeated, so the companion ignores it. Of 3,200 pieces, 19 were
 * reported. This test permits three reports plus one per hundred pieces. */
static void test_piece_from_beside(unsigned n)
{
    if (n % (2 * ARMY) == 0) {
        state = (n + 1) * 0xD1B54A32D192ED03u;
        set_up(0);
    }
    reports = 0;
    bring_from_beside(n % (2 * ARMY) < ARMY, n % 2);
    EXPECT(reports <= 1, "piece %u: the report of a fault was repeated", n);
    EXPECT(!is_late, "piece %u: not shown within %d ms", n, SEEN_WITHIN_MS);
    reports_of_pieces += reports;
}

int main(void)
{
    const char *wanted = getenv("MOVES");
    unsigned moves = wanted ? (unsigned)atoi(wanted) : USUAL_MOVES;
    for (unsigned n = 0; n < moves; n++) {
        if (n % MOVES_PER_BOARD == 0) {
            state = (n + 1) * 0x9E3779B97F4A7C15u;
            set_up((uint8_t)uniform(50, 80));
        }
        if (n % 3 == 0)
            begin_dip();
        move(n % 2 == 0);
        EXPECT(wrong_colours == 0, "move %u: %u wrong colours", n, wrong_colours);
        EXPECT(reports == 0, "move %u: a fault was reported", n);
        EXPECT(!is_late || n % 3 == 0, "move %u: not shown within %d ms", n, SEEN_WITHIN_MS);
        EXPECT(shown_ms >= 0, "move %u: not shown within %d ms", n, LATEST_MS);
        late_after_dips += is_late;
    }
    EXPECT(late_after_dips <= 1 + moves / 2000, "%u moves", late_after_dips);
    test_a_sensor_that_fails_is_reported();
    for (unsigned n = 0; n < moves / 10; n++)
        test_piece_from_beside(n);
    EXPECT(reports_of_pieces <= 3 + moves / 1000, "%u reports", reports_of_pieces);
    return 0;
}
